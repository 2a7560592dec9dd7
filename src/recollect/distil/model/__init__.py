"""The writer with a language model: its tasks, their answers, and who asks."""
