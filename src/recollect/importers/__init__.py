"""Reads memories of older stores and other products: files come in, values go out; nothing is stored here."""
