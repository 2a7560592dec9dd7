"""One class per capability of the store, over the named queries of its backend."""
