"""Who is behind a request: visitors, and the holders of seats."""
