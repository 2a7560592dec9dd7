"""The SQLite backend: one file, with an optional cipher.

Named queries with their parameters come in, rows go out. One thread writes, and reads use read-only connections. It may
import `storage` and the layers below it.
"""
