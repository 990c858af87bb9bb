"""What may be spent, by whom, and what it will probably come to."""
