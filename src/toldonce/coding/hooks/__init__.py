"""Hooks of coding agents: an event comes in as JSON, text for the agent goes out within milliseconds.

The package also installs the hooks in agents' settings and removes them. Modules on the path of an event import only
light modules (such as `recall.fitting`, `recall.rank`, `recall.render` and `text.words`) and load anything else when it
is needed.
"""

# The job that learns from a session, and the setting that holds what it learnt until the person has seen it.
LEARN = "learn_session"
LEARNED = "learned"
