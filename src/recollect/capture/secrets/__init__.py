"""Secrets are taken out of a text before it is stored: rules by shape, by words around, by blocks and by files."""
