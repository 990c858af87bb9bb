"""Pure renderers: facts in, text with theme variables out."""
