"""The Model Context Protocol: the table of tools over standard input and output or HTTP."""
