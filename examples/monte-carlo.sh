#!/bin/sh
# A Chaplygin sleigh whose centre of mass and moment of inertia are known to 7 and 10 %: by how much
# will it have turned when it runs straight? An ensemble of 2000 draws, mean and 95 % band of the
# angle in the end and on the way, the share of each parameter in it, and those that turn most once
# more, with their trajectories.
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}

run() { # DESIGN: the job's id
    job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H 'Prefer: wait=60' -d '{
      "model": {
        "name": "Chaplygin sleigh",
        "coordinates": ["x", "y", "th"],
        "parameters": {"m": 1, "a": 0.3, "J": 0.5},
        "lagrangian": "m/2*(dot(x)^2 + dot(y)^2) + m*a*dot(th)*(dot(y)*cos(th) - dot(x)*sin(th)) + (J + m*a^2)/2*dot(th)^2",
        "constraints": [{"name": "edge", "equation": "dot(y)*cos(th) - dot(x)*sin(th) = 0"}]
      },
      "initial": {"v": {"x": 0.2, "th": 2}},
      "time": {"at": [1, 2, 4, 8, 40]},
      "ensemble": {
        "over_time": ["th"],
        "design": {"kind": "'"$1"'", "count": '"$2"', "seed": 1, "ranges": {
          "parameters.a": {"mean": 0.3, "sd": 0.02},
          "parameters.J": {"mean": 0.5, "sd": 0.05}}},
        "reduce": {
          "turned": {"of": "th", "take": "last"},
          "side": {"of": "multiplier(edge)", "take": "max"}
        }
      }
    }')
    case $job in
    *'"state":"succeeded"'*) printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/' ;;
    *) echo "not finished as expected: $job" >&2 && return 1 ;;
    esac
}

id=$(run lhs 2000)
curl -fsS "$url/v1/jobs/$id/statistics?of=turned,side&quantiles=0.025,0.5,0.975"
echo
curl -fsS "$url/v1/jobs/$id/statistics?over=time&of=th&quantiles=0.025,0.975"
echo
# those that turn most once more, closely: the same inputs, and the same angles to the tolerance
job=$(curl -fsS "$url/v1/jobs?wait=60" -H 'Content-Type: application/json' -d '{
  "ensemble": {"members_of": {"job": "'"$id"'", "where": "turned > 4.5"}, "keep": "trajectories"},
  "integrator": {"rtol": 1e-12, "atol": 1e-14}
}')
most=$(printf '%s' "$job" | sed 's/^{"id":"\([^"]*\)".*/\1/')
curl -fsS "$url/v1/jobs/$most/members?columns=of.member,turned" -H 'Accept: text/csv'
id_of_shares=$(run saltelli 500)
curl -fsS "$url/v1/jobs/$id_of_shares/statistics?of=turned"
echo

# The speed u along the edge and the rate w of turning keep u^2 + I w^2, I = a^2 + J/m, and dot(u) =
# a w^2: the angle is sqrt(I)/a (pi/2 - asin(u0/U)) in the end, U^2 = u0^2 + I w0^2.
curl -fsS "$url/v1/jobs/$id/members?columns=parameters.a,parameters.J,turned&limit=2000" -H 'Accept: text/csv' |
    awk -F, 'NR > 1 { I = $1*$1 + $2; U = sqrt(0.04 + 4*I); th = sqrt(I)/$1*(atan2(0, -1)/2 - atan2(0.2, sqrt(U*U - 0.04)))
                      off = th - $3; if (off < 0) off = -off; if (off > largest) largest = off }
             END { printf "largest difference from the closed form: %.1e\n", largest; exit NR != 2001 || largest > 1e-8 }'
