"""Importers: files of older stores and other products come in, values go out, and nothing is stored here.

`capture` checks the values and `operations` stores them. It may import `storage` for opening files, and `errors`.
"""
