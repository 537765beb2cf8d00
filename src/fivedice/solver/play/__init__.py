"""What follows from optimal play: its chances, figures, distributions and breakdowns."""
