"""Everything of the coding preset: the map of a code base, transcripts, hooks, citations, its tools and commands."""
