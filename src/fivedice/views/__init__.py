"""The JSON that the command line, the HTTP interface and the page share."""
