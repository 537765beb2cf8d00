"""Clubs and tournaments of this server: their logs in the database, the tables of rounds, and the results of these."""
