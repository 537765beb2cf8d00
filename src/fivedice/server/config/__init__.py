"""What a server is configured with: its limits and its settings."""
