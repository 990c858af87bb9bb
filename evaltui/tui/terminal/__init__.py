"""What is asked of the terminal beyond Textual's own ways: modes, hangups, keys."""
