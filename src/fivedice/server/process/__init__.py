"""A server process: start, supervision of workers, and shutdown."""
