"""Distillation: a finished conversation comes in; notes, facts, documents, topics and reports go out.

One judge says what new facts do to what is known. A writer works by rules or with a language model. It may import
`capture`, `storage`, `models` and the layers below, but not `recall`.
"""
