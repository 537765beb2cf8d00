"""Reviews of games: luck, loss, marks and figures."""
