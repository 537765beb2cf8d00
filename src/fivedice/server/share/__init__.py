"""What a link shows before it is opened: title and description. Without event loop and database."""
