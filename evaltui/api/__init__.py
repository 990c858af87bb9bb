"""The evals over HTTP: what the command line answers, asked of the same owners."""
