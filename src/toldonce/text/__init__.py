"""Text algorithms that know no language: folding, stemming for the index, sentences, similarity of word sets.

Strings come in, strings and sets go out. Every layer may import this package; it imports nothing of the others.
"""
