"""A receiver of notifications on loopback, which remembers what it was sent."""

import base64
import hashlib
import hmac
import http.server
import threading

from harness import deadline


class Delivery:
    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, headers, body

    def signed_by(self, secret):
        """As docs/how-to/webhooks.md shows."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = b".".join([self.headers["webhook-id"].encode(),
                            self.headers["webhook-timestamp"].encode(), self.body])
        due = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
        return any(hmac.compare_digest(given, due)
                   for given in self.headers["webhook-signature"].split())


class Receiver:
    """answer(delivery, number) gives the status, or (status, headers, body), of the delivery with
    this number from 0."""

    def __init__(self, answer=lambda delivery, number: 204, host="127.0.0.1"):
        receiver = self
        self.deliveries = []
        self.changed = threading.Condition()
        self.release = threading.Event()  # for answers that wait

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                delivery = Delivery(self.path, self.headers, body)
                with receiver.changed:
                    number = len(receiver.deliveries)
                    receiver.deliveries.append(delivery)
                    receiver.changed.notify_all()
                given = answer(delivery, number)
                status, headers, text = given if isinstance(given, tuple) else (given, {}, b"")
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    pass  # the service has gone meanwhile

            do_GET = do_POST

            def log_message(self, *arguments):
                pass

        class Server(http.server.ThreadingHTTPServer):
            request_queue_size = 128

            def handle_error(self, request, client_address):
                pass

        self.server = Server((host, 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path="/hook", host="127.0.0.1"):
        return "http://%s:%d%s" % (host, self.port, path)

    def wait(self, count):
        """The first so many deliveries."""
        for _ in deadline("%d deliveries" % count):
            with self.changed:
                if len(self.deliveries) < count:
                    self.changed.wait(1)
                if len(self.deliveries) >= count:
                    return self.deliveries[:count]

    def close(self):
        self.release.set()
        self.server.shutdown()
        self.server.server_close()
