"""The command line: arguments come in, operations of `Memory` are called, text or JSON and an exit code go out.

There is one module per family of commands, imported when its command is called. It may import everything below the
interfaces, and `coding`, `mcp`, `tools` and `bench`, whose commands it offers.
"""
