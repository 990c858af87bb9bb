"""EvalStudio's workspaces, read in place."""
