"""Distillation: a finished conversation comes in; notes, facts, documents, topics and reports go out.

New facts are reconciled with what is known. A writer works by rules or with a language model. It may import `capture`,
`storage`, `models` and the layers below, but not `recall`.
"""
