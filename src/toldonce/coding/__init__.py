"""Everything of the coding preset: code map, transcripts, hooks, citations, tools and commands.

A working tree, transcripts and hook events of coding agents come in; a map, lessons, warnings and prompt blocks go out.
It may import `memory`, `jobs`, `tools`, `cli` and the layers below.
"""
