"""What commands do, by group; every function takes the controller it acts upon."""
