"""Beside coding agents: what their hooks call, what it answers, and how it is put into their settings and taken out."""

# The job that learns from a session, and the setting that holds what it learnt until the person has seen it.
LEARN = "learn_session"
LEARNED = "learned"
