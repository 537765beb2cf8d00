"""What every handler uses: its parameters, whose work it takes, the cookie, caching, and the answers to errors."""
