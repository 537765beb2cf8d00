"""Tables as pure data: state, events, commands and views; no input, output, database or clock."""
