"""What is known now, and what is kept on disk: results, history, baselines, cassettes."""
