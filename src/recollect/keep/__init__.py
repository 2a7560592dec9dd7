"""Where memory stays: the contract of a store, its conformance suite, and the stores themselves."""
