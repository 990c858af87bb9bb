"""The panes of the dashboard, one a file."""
