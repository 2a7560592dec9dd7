"""Where memory is stored: the contract of a store, the tables over named queries, and the stores themselves."""
