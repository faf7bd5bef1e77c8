#!/bin/sh
# Builds the program and puts what it needs to run into a folder: build.sh TARGET
set -eu
cd "$(dirname "$0")/../.."
npm run --silent build
node deploy/container/assemble.mjs "$1"
