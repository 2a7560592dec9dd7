"""The doors: the command line first."""
