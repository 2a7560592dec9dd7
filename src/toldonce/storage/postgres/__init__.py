"""The PostgreSQL backend: named queries and transactions in, rows out. It imports psycopg, so it is loaded only when an
address is opened; what a store must do is in `storage/store.py`.
"""
