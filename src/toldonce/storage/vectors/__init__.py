"""The vector index: vectors come in, the nearest records with their cosine similarity go out.

Sign bits select candidates, exact cosines order the best of them. It may import `storage` and numpy.
"""
