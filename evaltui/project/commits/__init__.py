"""The project as a commit of Git has it, read without touching the working tree."""
