"""JSON types shared by the command line, the HTTP interface and the page."""
