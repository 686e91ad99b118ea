# Kotatsu. `make play` and `make test` are all a newcomer needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE_BIN = $(CURDIR)/$(VENV)/node
NPM = PATH="$(NODE_BIN):$$PATH" npm
PORT ?= 8080

.PHONY: play test setup dev lint bench types web clean
