"""Tables in the memory of this process, kept in sync with the database and with connected clients."""
