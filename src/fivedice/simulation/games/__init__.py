"""Many games at once: how they are played, what is counted of them, and their rows and records."""
