"""Tool definitions from OpenAPI 3.0 and 3.1 files: each operation is a tool."""
