#!/bin/sh
# Is called when a job has ended, in the trace of the client, and verifies who called. The service
# must have been started with
#   dalembert serve --webhooks on --webhook-allow 127.0.0.1 --webhook-secret-file FILE
# where WEBHOOK_SECRET_FILE names the same file, made by: printf 'whsec_%s\n' "$(openssl rand
# -base64 32)" >FILE
set -eu
url=${DALEMBERT_URL:-http://127.0.0.1:8080}
secret=${WEBHOOK_SECRET_FILE:?"names the file of --webhook-secret-file; see the head of this script"}
folder=$(mktemp -d)
receiver=
trap '[ -z "$receiver" ] || kill "$receiver" 2>/dev/null; rm -rf "$folder"' EXIT

# A receiver of one notification. It writes its port, then what it was sent; 204 says that it has
# it.
cat >"$folder/receiver.py" <<'PYTHON'
import base64, hmac, http.server, sys, time

folder, secret = sys.argv[1], open(sys.argv[2]).readline().strip()


def verify(secret, headers, body):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f'{headers["webhook-id"]}.{headers["webhook-timestamp"]}.'.encode() + body
    due = "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    fresh = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    return fresh and any(hmac.compare_digest(given, due) for given in headers["webhook-signature"].split())


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        good = verify(secret, self.headers, body)
        open(folder + "/body", "wb").write(body)
        with open(folder + "/head", "w") as file:
            print(self.headers["webhook-id"], self.headers["webhook-timestamp"], self.headers["webhook-signature"],
                  self.headers["traceparent"], file=file)
        self.send_response(204 if good else 401)
        self.end_headers()


server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.handle_request()
PYTHON
mkfifo "$folder/port"
python3 "$folder/receiver.py" "$folder" "$secret" >"$folder/port" 2>"$folder/log" &
receiver=$!
read -r port <"$folder/port"

trace=4bf92f3577b34da6a3ce929d0e0e4736
job=$(curl -fsS "$url/v1/jobs" -H 'Content-Type: application/json' -H "traceparent: 00-$trace-00f067aa0ba902b7-01" -d '{
  "model": {"catalog": "vertical-rolling-disk"},
  "initial": {"v": {"theta": 1, "phi": 0.5}},
  "time": {"end": 1},
  "notify": {"url": "http://127.0.0.1:'"$port"'/ended", "on": ["done"]}
}')
id=$(printf '%s' "$job" | sed -n 's/.*"id": *"\([0-9a-f-]\{36\}\)".*/\1/p' | head -n 1)
wait "$receiver"
receiver=
echo "told: $(cat "$folder/body")"
grep -q "\"id\":\"$id\",\"state\":\"succeeded\"" "$folder/body"

# the same by openssl
read -r webhook_id timestamp signature traceparent <"$folder/head"
key=$(sed -n '1s/^whsec_//p' "$secret" | base64 -d | od -An -vtx1 | tr -d ' \n')
due=$({ printf '%s.%s.' "$webhook_id" "$timestamp" && cat "$folder/body"; } |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
if [ "$signature" != "v1,$due" ]; then
    echo "$signature, but it should be v1,$due" >&2
    exit 1
fi
echo "signed by who knows the secret"
case $traceparent in
    00-$trace-*-01) echo "in the same trace: $traceparent" ;;
    *) echo "$traceparent is not of trace $trace" >&2; exit 1 ;;
esac

state=pending
while [ "$state" = pending ]; do
    state=$(curl -fsS "$url/v1/jobs/$id" | sed -n 's/.*"on":\["done"\],"state":"\([a-z_]*\)".*/\1/p')
done
echo "$state"
[ "$state" = delivered ]
