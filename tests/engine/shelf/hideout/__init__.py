"""A toy for the conformance kit: everyone in turn hides a number; then all are shown."""
