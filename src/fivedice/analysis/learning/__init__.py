"""Lessons from mistakes, quizzes, and what a player did well."""
