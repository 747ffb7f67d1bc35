#!/bin/sh
PATH="$(dirname "$0")/../../../node_modules/.bin:$PATH" exec knack orchestrate "$@"
