"""What happened in a run, a line for each event, written before anything is printed."""
