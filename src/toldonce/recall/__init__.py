"""Search and prompt building: a question comes in, ranked hits or a prompt block within a token budget go out.

The stages are query, candidates, features, scores, optional reranking, rendering and explanation. Recall never changes
records. It may import `storage`, `models` and the layers below, and the markers of `capture`, but not `distil`.
"""
