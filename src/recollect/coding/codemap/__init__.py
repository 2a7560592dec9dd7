"""A code base as a document: what is where, which lines a record speaks of, and which files a task concerns."""
