#!/bin/sh
grep -qi "explained" && test -f "$WAZA_WORKSPACE_DIR/note.md"
