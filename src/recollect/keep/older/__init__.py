"""Memories that older programs left: recognised, read, and never changed."""
