"""Whether a release may go out, and who said so."""
