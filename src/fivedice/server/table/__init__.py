"""Tables as pure data: state, events, commands and views, without I/O, database or clock."""
