#!/usr/bin/env python3
"""A long job, followed event by event and cancelled when it has shown enough; its partial
result is kept."""

from dalembert import Client, InvalidDocument

JOB = {
    "model": {"coordinates": ["x"], "lagrangian": "dot(x)^2/2 - x^2/2"},
    "initial": {"q": {"x": 1}},
    "time": {"end": 1e7, "samples": 1000001},
    "integrator": {"max_steps": 900000000},
}

with Client() as client:
    try:
        client.submit(dict(JOB, model=dict(JOB["model"], lagrangian="dot(x)^2/2 - xx^2/2")))
    except InvalidDocument as mistakes:
        print(mistakes)

    job = client.submit(JOB)
    for event in job.follow():
        print(event.kind, job.state, job.progress.get("t", ""))
        if event.kind == "progress":
            job.cancel()
    last = job.result(["t", "x"])
    print("%d rows up to t = %g%s" % (last.n_rows, last["t"][-1],
                                      "" if last.complete else ", not complete"))
