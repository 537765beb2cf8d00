"""The daily: ten positions, a game and a ladder of positions for each day, and the rank of those who tried them."""
