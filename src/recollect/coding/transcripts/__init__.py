"""A coding agent's transcript becomes what happened in it, and what it teaches."""
