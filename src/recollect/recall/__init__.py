"""A question becomes hits and a prompt block."""
