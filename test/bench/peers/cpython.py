"""Answers each line {"code"} with {"ms"}: how long this very interpreter took to run the code in a new namespace."""

import json
import sys
import time

for line in sys.stdin:
    code = compile(json.loads(line)["code"], "<code>", "exec")
    started = time.perf_counter()
    exec(code, {})
    print(json.dumps({"ms": (time.perf_counter() - started) * 1000}), flush=True)
