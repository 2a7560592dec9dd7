"""The code map: a working tree and its git history come in; modules, commands and the files for a task go out.

The map is stored as a document, and its search index is a cache outside the memory. It may import `memory` and the
layers below.
"""
