"""Reading and writing the rows of each database table."""
