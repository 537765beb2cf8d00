"""Play for something other than the most points on average."""
