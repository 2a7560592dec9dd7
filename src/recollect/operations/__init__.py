"""What `Memory` does, one module per group of operations, over one `Engine` that holds the store and the clock.

Functions take the engine first; the groups (`memory.people`, `memory.spaces`, ...) are small classes that hold it.
"""
