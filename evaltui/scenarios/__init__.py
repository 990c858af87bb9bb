"""What a model judges: rubrics, and how far their judge can be relied on."""
