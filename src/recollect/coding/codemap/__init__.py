"""A code base as a document: what is where, which lines a record is about, and which files a task concerns."""
