"""Tool definitions from TypeScript and JavaScript, read from the syntax tree, never executed."""
