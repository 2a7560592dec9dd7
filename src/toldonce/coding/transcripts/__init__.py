"""Transcripts of coding agents: a session file of an agent comes in, its events and the lessons in them go out.

Nothing is stored here. It may import `lang`, `capture` and the layers below.
"""
