"""Capture: a message or a statement comes in; a checked record and the conversation it joins go out.

The gate removes secrets and private spans, and refuses empty or oversized text. It may import `storage`, `models` and
the layers below, and the value types of `importers`.
"""
