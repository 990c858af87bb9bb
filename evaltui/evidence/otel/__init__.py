"""What a pack tells of its runs, for tools that read OpenTelemetry."""
