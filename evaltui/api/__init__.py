"""The evals over HTTP: the same answers as the command line's, from the same owners."""
