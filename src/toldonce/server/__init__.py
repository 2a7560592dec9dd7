"""The HTTP server: requests with a credential come in, operations of `Memory` are called, JSON and events go out.

Paths come from the table of operations and the table of tools. It may import `memory`, `operations`, `tools`, `mcp` and
single modules of the layers below; it never opens a store.
"""
