"""Two states of the project, asked in turn within one run."""
