"""Result files, in the form of the contract."""
