#!/usr/bin/env python3
"""The files for Docker Compose and Kubernetes agree with the Dockerfile and with the program.

    tests/deploy_files.py [TEST...]        needs python3-yaml; docker-compose for one test

Neither Docker nor a cluster runs here. The program checks the environment of each container, as
`serve --check-config` does; the rest is compared with the Dockerfile and api/openapi.json.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import yaml

from deadline import SECONDS
from program import BINARY, HERE, require

ROOT = os.path.dirname(HERE)
SPARE_SECONDS = 3  # of docs/how-to/install.md, "Stopping"


def text(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


COMPOSE = yaml.safe_load(text("deploy", "compose.yml"))
SERVICE, STATEFUL_SET = yaml.safe_load_all(text("deploy", "kubernetes.yaml"))
COMPOSED = COMPOSE["services"]["dalembert"]
POD = STATEFUL_SET["spec"]["template"]["spec"]
CONTAINER = POD["containers"][0]
DOCKERFILE = text("Dockerfile").replace("\\\n", " ")


def of_dockerfile(name):
    """The arguments of the last instruction of this name."""
    return re.findall(rf"^{name} +(.*)$", DOCKERFILE, re.M)[-1]


def image_environment():
    return dict(word.split("=", 1) for word in shlex.split(of_dockerfile("ENV")))


# The environment that a file adds to that of the image.
ADDED = {"compose.yml": COMPOSED["environment"],
         "kubernetes.yaml": {entry["name"]: entry["value"] for entry in CONTAINER["env"]}}


def serve(environment, *flags):
    return subprocess.run([BINARY, "serve", *flags], env=environment, capture_output=True,
                          text=True, timeout=SECONDS)


class Environment(unittest.TestCase):
    def test_the_program_reads_every_variable_and_accepts_its_value(self):
        for file, added in ADDED.items():
            with self.subTest(file=file):
                done = serve({**image_environment(), **added}, "--check-config")
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_misspelt_variable_is_told(self):
        self.assertIn("DALEMBERT_FRIST_KEY_FILE",
                      serve({"DALEMBERT_FRIST_KEY_FILE": "x"}, "--check-config").stderr)

    def test_without_its_first_key_the_service_refuses_and_names_the_ways_out(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        environment = {**image_environment(), "DALEMBERT_DATA": folder,
                       "DALEMBERT_LISTEN": "127.0.0.1:0"}
        done = serve(environment)
        self.assertEqual(done.returncode, 2)
        for way in ("keys create", "--first-key-file", "--auth none"):
            self.assertIn(way, done.stderr)

    def test_flags_that_comments_name_exist(self):
        known = set(re.findall(r"--[a-z-]+", serve({}, "--help").stdout))
        for file in ADDED:
            comments = "\n".join(re.findall(r"#.*--[a-z-]+.*", text("deploy", file)))
            # flags of docker, kubectl and install stand in lines of commands
            named = set(re.findall(r"--[a-z-]+", re.sub(r"#   .*", "", comments)))
            self.assertLessEqual(named, known)


class Image(unittest.TestCase):
    def test_every_stage_begins_with_the_base_image_of_one_digest(self):
        self.assertRegex(DOCKERFILE, r"(?m)^ARG BASE_DIGEST=sha256:[0-9a-f]{64}$")
        stages = re.findall(r"^FROM +(\S+)", DOCKERFILE, re.M)
        self.assertEqual(stages, ["debian:12-slim@$BASE_DIGEST"] * len(stages))


class Compose(unittest.TestCase):
    @unittest.skipUnless(shutil.which("docker-compose"),
                         "docker-compose is missing (install-deps.sh long)")
    def test_docker_compose_accepts_the_file_and_no_misspelt_key(self):
        def refusal(text_of_file):
            done = subprocess.run(["docker-compose", "-f", "-", "config", "-q"], cwd=ROOT,
                                  input=text_of_file, capture_output=True, text=True)
            return done.stderr if done.returncode else ""

        written = text("deploy", "compose.yml")
        self.assertEqual(refusal(written), "")
        self.assertIn("read_olny", refusal(written.replace("read_only:", "read_olny:")))

    def test_the_container_can_change_nothing_but_its_data(self):
        self.assertIs(COMPOSED["read_only"], True)
        self.assertEqual(COMPOSED["cap_drop"], ["ALL"])
        self.assertEqual(COMPOSED["security_opt"], ["no-new-privileges:true"])
        self.assertEqual([volume.split(":")[1] for volume in COMPOSED["volumes"]],
                         [of_dockerfile("VOLUME")])

    def test_secrets_and_volumes_are_defined(self):
        self.assertEqual(set(COMPOSED["secrets"]), set(COMPOSE["secrets"]))
        self.assertEqual({volume.split(":")[0] for volume in COMPOSED["volumes"]},
                         set(COMPOSE["volumes"]))
        self.assertEqual(COMPOSED["environment"]["DALEMBERT_FIRST_KEY_FILE"],
                         "/run/secrets/" + COMPOSED["secrets"][0])

    def test_the_port_is_that_of_the_image_and_of_this_machine(self):
        port = of_dockerfile("EXPOSE")
        self.assertEqual(COMPOSED["ports"], [f"127.0.0.1:8080:{port}"])


class Kubernetes(unittest.TestCase):
    def test_one_replica_owns_the_data(self):
        claim = STATEFUL_SET["spec"]["volumeClaimTemplates"][0]
        self.assertEqual(STATEFUL_SET["spec"]["replicas"], 1)
        self.assertEqual(claim["spec"]["accessModes"], ["ReadWriteOncePod"])

    def test_selectors_find_the_pod(self):
        labels = STATEFUL_SET["spec"]["template"]["metadata"]["labels"]
        self.assertEqual(STATEFUL_SET["spec"]["selector"]["matchLabels"], labels)
        self.assertEqual(SERVICE["spec"]["selector"], labels)
        self.assertEqual(SERVICE["metadata"]["name"], STATEFUL_SET["spec"]["serviceName"])

    def test_volumes_that_are_mounted_exist(self):
        volumes = {volume["name"] for volume in POD["volumes"]}
        claims = {claim["metadata"]["name"]
                  for claim in STATEFUL_SET["spec"]["volumeClaimTemplates"]}
        mounts = {mount["name"]: mount["mountPath"] for mount in CONTAINER["volumeMounts"]}
        self.assertEqual(set(mounts), volumes | claims)
        self.assertEqual(mounts["data"], of_dockerfile("VOLUME"))
        self.assertEqual(os.path.dirname(ADDED["kubernetes.yaml"]["DALEMBERT_FIRST_KEY_FILE"]),
                         mounts["first-key"])

    def test_the_user_is_that_of_the_image_without_rights(self):
        user, group = map(int, of_dockerfile("USER").split(":"))
        context = POD["securityContext"]
        self.assertIs(context["runAsNonRoot"], True)
        self.assertEqual((context["runAsUser"], context["runAsGroup"], context["fsGroup"]),
                         (user, group, group))
        self.assertEqual(CONTAINER["securityContext"],
                         {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                          "capabilities": {"drop": ["ALL"]}})

    def test_probes_ask_routes_that_need_no_key_at_the_port_of_the_image(self):
        paths = json.loads(text("api", "openapi.json"))["paths"]
        ports = {port["name"]: port["containerPort"] for port in CONTAINER["ports"]}
        for name in ("startupProbe", "livenessProbe", "readinessProbe"):
            ask = CONTAINER[name]["httpGet"]
            self.assertIn(ask["path"], paths)
            self.assertEqual(paths[ask["path"]]["get"]["security"], [])
            self.assertEqual(ports[ask["port"]], int(of_dockerfile("EXPOSE")))
        self.assertEqual(SERVICE["spec"]["ports"][0]["targetPort"], "http")

    def test_a_drain_outlasts_a_probe_and_ends_before_the_kill(self):
        printed = serve({**image_environment(), **ADDED["kubernetes.yaml"]},
                        "--print-config").stdout
        delay, grace = (int(re.search(rf"^{name} = (\d+)", printed, re.M)[1])
                        for name in ("drain-delay", "shutdown-grace"))
        self.assertGreater(delay, CONTAINER["readinessProbe"]["periodSeconds"])
        self.assertGreaterEqual(POD["terminationGracePeriodSeconds"],
                                delay + grace + SPARE_SECONDS)


if __name__ == "__main__":
    require("deploy_files")
    unittest.main(verbosity=2)
