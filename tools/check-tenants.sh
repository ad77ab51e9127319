#!/bin/sh
# Checks that SQL on the tables jobs, models and calls names the tenant.
#
#   tools/check-tenants.sh [ROOT]        tools/check-tenants.sh --self-test
#
# tools/check_tenants.py says how; tools/tenants.txt lists the exceptions with their reasons.
exec python3 "$(dirname "$0")/check_tenants.py" "$@"
