"""How strong somebody plays: by their decisions, and by their results."""
