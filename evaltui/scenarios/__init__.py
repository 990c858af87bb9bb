"""Conversations, and what a model judges: criteria, rubrics, how far it can be relied on."""
