#!/bin/sh
# What the image runs: one worker, named after its machine. Settings come from the environment, which keeps passwords out of the process
# list; arguments are passed on to the command.
set -eu
: "${PROCTOR_WORKERS:?the address of the Redis, for example redis://redis:6379}"
: "${PROCTOR_FLEET_KEY:?the key that runs and workers share: openssl rand -hex 32}"
export PROCTOR_WORKERS
exec proctor worker --jobs "${PROCTOR_JOBS:-4}" --name "${PROCTOR_WORKER_NAME:-$(uname -n)}" "$@"
