"""The calibration of marks and levels on simulated games of players of known kinds."""
