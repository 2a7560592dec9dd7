"""Adapters for agent frameworks, and what a host of your own plugs in."""
