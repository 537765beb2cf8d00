"""What positions and games are worth: advice from exact solutions."""
