"""Times that texts name, read by one table of rules for questions, for what is searched and for what is known."""
