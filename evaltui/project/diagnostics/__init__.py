"""What is wrong with the project, an owner for each kind."""
