"""This folder is put on a child's import path, where `evaltui` is the package inside it."""
