"""An evidence pack for tools that read OpenTelemetry."""
