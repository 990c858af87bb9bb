"""This folder goes on the import path of a child: there `evaltui` is what lies in it."""
