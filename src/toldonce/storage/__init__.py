"""Storage: records and queries come in, rows go out, all inside transactions of one `Store`.

It holds the contract of a store, the tables over named queries, the backends, and encryption, backup, export and
erasure. It may import `text`, `records`, `presets`, `kinds` and the other modules at the bottom.
"""
