"""The command line: one file for each command; slow modules are imported only when needed."""
