"""Model clients: embedders, rerankers, chat models and taggers behind small protocols.

Texts come in; vectors, scores, answers and names go out. Local models work offline; a remote one is used only if it is
configured. It may import `lang`, `text` and `errors`, never the store.
"""
