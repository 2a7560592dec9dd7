"""The writer with a language model: messages come in, checked answers of the model go out as drafts.

pydantic validates the answers and is imported only here. It may import `distil`, `models` and the layers below.
"""
