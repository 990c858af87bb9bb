"""The dashboard: a screen over the store; it shows facts and passes on wishes."""
