"""The table of tools: a tool's name and arguments come in, an operation of `Memory` is called, JSON goes out.

MCP, the command line and hosts all use this one table. It may import `memory` and the layers below, the tools of
`coding` and the JSON output of `cli`.
"""
