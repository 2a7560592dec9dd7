"""The Model Context Protocol: tool calls come in, responses go out, over standard input and output or HTTP.

The tools are those of the one table. It may import `tools` and the single modules `access`, `errors` and `logs`.
"""
