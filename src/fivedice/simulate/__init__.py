"""Many games at once, on arrays: what policies come to over thousands of games."""
