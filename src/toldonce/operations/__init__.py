"""The operations behind `Memory`, one module per group: arguments come in, the store is read or changed, values go out.

Functions take the `Engine`, which holds the store and the clock, first; the groups (`memory.people`, `memory.spaces`,
...) are small classes that hold it. It may import `capture`, `distil`, `recall`, `importers` and the layers below.
"""
