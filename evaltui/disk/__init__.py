"""Results, journals, history, baselines, mutes and recordings on disk."""
