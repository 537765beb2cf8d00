"""Settings, rate limits, metrics, logging and readiness."""
