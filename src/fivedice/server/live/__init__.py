"""Tables in the memory of this process, kept in step with the database and with connected clients."""
