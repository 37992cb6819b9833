"""Answers each line {"code"} with {"ms"}: how long a new session took to run the code."""

import json
import sys
import time

from pydantic_monty import Monty

with Monty() as monty:
    for line in sys.stdin:
        started = time.perf_counter()
        with monty.checkout() as session:
            session.feed_run(json.loads(line)["code"])
        print(json.dumps({"ms": (time.perf_counter() - started) * 1000}), flush=True)
