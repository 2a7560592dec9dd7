"""Languages: everything Toldonce knows about English, Portuguese and Spanish words, as one value per language.

A `Language` holds words, patterns and templates; the engines in `times`, `capture`, `distil` and `recall` hold the
algorithms. A new language is a folder here and one line in `registry.py`. This package imports `text` and nothing else
of Toldonce.
"""
