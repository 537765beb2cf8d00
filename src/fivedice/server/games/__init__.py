"""What is computed over many finished games: the games of a holder, lessons and dice counts."""
