"""Dates and ranges named in text: a text and the moment it was said come in, time windows and exact dates go out.

Questions, search and stored facts share one table of rules. It may import `lang` and `text`.
"""
