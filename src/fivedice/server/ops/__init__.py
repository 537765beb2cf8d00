"""Rate limits, metrics, logging and readiness."""
