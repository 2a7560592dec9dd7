"""The command line: one module per family of commands, imported when its command is called."""
