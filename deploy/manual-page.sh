#!/bin/sh
# Prints the manual page dalembert(1): the help of a built program and of each of its commands.
#
#   deploy/manual-page.sh PROGRAM
set -eu
program=$1

# Shows a text as it stands: no line of it is an instruction to troff, and a minus is a minus.
shown() {
    echo .nf
    sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e 's/^/\\\&/'
    echo .fi
}

cat <<TEXT
.TH DALEMBERT 1 "" "$("$program" --version)"
.SH NAME
dalembert \- simulation service for constrained mechanical systems
.SH SYNOPSIS
.B dalembert
.I COMMAND
.RI [ ARGUMENTS ]
.SH COMMANDS
TEXT
"$program" --help | sed 1,3d | shown
for command in $("$program" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    echo ".SH DALEMBERT $(echo "$command" | tr '[:lower:]' '[:upper:]')"
    "$program" "$command" --help | shown
done
