"""The players of mass simulations, and their tables."""
