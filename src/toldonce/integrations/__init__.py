"""Adapters for agent frameworks and hosts.

A framework's messages and tool calls come in, operations of `Memory` are called, and answers in the framework's own
types go out. It may import `memory`, `tools` and the layers below; a framework is imported only by its own module.
"""
