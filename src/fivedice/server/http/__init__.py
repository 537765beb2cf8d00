"""The HTTP application: middleware, WebSocket, static files and error responses."""
