"""What is known: events in, views out. Touches no file."""
