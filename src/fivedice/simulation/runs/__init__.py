"""Runs in parts: on processors or a cluster, with a journal and files of Parquet, so that they can continue."""
