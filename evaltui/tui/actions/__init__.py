"""What commands do, by group; every function takes the desk it acts upon."""
