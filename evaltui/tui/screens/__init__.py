"""The dashboard's screen and its dialogs, one a file."""
