"""A JSON text with the places of its values, and minimal edits."""
