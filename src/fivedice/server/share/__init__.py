"""What a link shows before it is opened: title, description and picture. Without event loop and database."""
