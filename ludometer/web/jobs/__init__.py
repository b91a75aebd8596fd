"""Experiments started from a page: the queue, requests, the worker process, and live progress."""
