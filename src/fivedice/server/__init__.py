"""The web's server: live tables, kept as events, that people join by a link."""
