"""One class per capability of a store: values come in, named queries of the backend run, values go out.

The classes contain no SQL and work with every backend. They may import the contract and row types of `storage`, and the
layers below it.
"""
