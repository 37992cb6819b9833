import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { openSession } from "./session.ts";

/** Code as people write it for a machine with threads, processes, sockets and 64 bits; and the value it is to have. */
const ADAPTED: readonly (readonly [title: string, code: string, result: unknown])[] = [
  ["asyncio.run, gather and sleep", "import asyncio\nasync def f(i):\n    await asyncio.sleep(0.01)\n    return i * 2\nasync def main():\n    return await asyncio.gather(*(f(i) for i in range(3)))\nasyncio.run(main())", [0, 2, 4]],
  ["asyncio.run where code awaits", "import asyncio\nasync def f(): return 1\na = await f()\nb = asyncio.run(f())\nc = await f()\n[a, b, c]", [1, 1, 1]],
  ["a timeout, a task group and a queue", "import asyncio\nasync def main():\n    q = asyncio.Queue()\n    async with asyncio.TaskGroup() as g:\n        g.create_task(q.put(1))\n        got = g.create_task(q.get())\n    try:\n        async with asyncio.timeout(0.01):\n            await asyncio.sleep(9)\n    except TimeoutError:\n        return [got.result(), 'late']\nasyncio.run(main())", [1, "late"]],
  ["loop.run_until_complete", "import asyncio\nloop = asyncio.get_event_loop()\nloop.run_until_complete(asyncio.sleep(0, 5))", 5],
  ["asyncio.to_thread", "import asyncio\nawait asyncio.to_thread(pow, 2, 5)", 32],
  ["threads with a lock", "import threading, time\nlock = threading.Lock(); n = 0\ndef inc():\n    global n\n    for _ in range(5):\n        with lock:\n            m = n; time.sleep(0.001); n = m + 1\nts = [threading.Thread(target=inc) for _ in range(4)]\nfor t in ts: t.start()\nfor t in ts: t.join()\nn", 20],
  ["a consumer started before its producer", "import threading, queue\nq = queue.Queue(); out = []\ndef consume():\n    while (item := q.get()) is not None:\n        out.append(item)\nt = threading.Thread(target=consume); t.start()\nfor i in range(3): q.put(i)\nq.put(None)\nt.join()\nout", [0, 1, 2]],
  ["daemons and queue.join", "import threading, queue\nq = queue.Queue(); out = []\ndef work():\n    while True:\n        out.append(q.get()); q.task_done()\nfor _ in range(2): threading.Thread(target=work, daemon=True).start()\nfor i in range(4): q.put(i)\nq.join()\nout", [0, 1, 2, 3]],
  ["a barrier and an event", "import threading\nb = threading.Barrier(2); e = threading.Event()\nts = [threading.Thread(target=lambda: (b.wait(), e.set())) for _ in range(2)]\nfor t in ts: t.start()\ne.wait()", true],
  ["a thread that is only slept for", "import threading, time\nout = []\nthreading.Thread(target=out.append, args=(1,)).start()\ntime.sleep(0.01)\nout", [1]],
  ["a wait that times out", "import queue\ntry:\n    queue.Queue().get(timeout=0.01)\nexcept queue.Empty:\n    r = 'empty'\nr", "empty"],
  ["pools of threads and processes", "from concurrent.futures import *\nwith ThreadPoolExecutor(4) as t, ProcessPoolExecutor() as p:\n    r = [sorted(f.result() for f in as_completed([t.submit(pow, 2, i) for i in range(3)])), list(p.map(abs, [-1]))]\nr", [[1, 2, 4], [1]]],
  ["multiprocessing", "import multiprocessing as mp\ndef f(x): return x * x\nif __name__ == '__main__':\n    with mp.Pool(2) as pool: a = pool.map(f, range(3))\n    q = mp.Queue(); p = mp.Process(target=q.put, args=(7,)); p.start(); p.join()\n[a, q.get(), p.exitcode]", [[0, 1, 4], 7, 0]],
  ["time zones and locales", "import time, zoneinfo, locale, datetime as d\ntime.tzset(); locale.setlocale(locale.LC_ALL, '')\nd.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo('Europe/Paris'))", "2024-07-01T00:00:00+02:00"],
  ["inspect.getsource and pickle", "import inspect, pickle\nclass K:\n    x = 1\ndef f():\n    return 2\n[inspect.getsource(f), pickle.loads(pickle.dumps(K())).x]", ["def f():\n    return 2\n", 1]],
  ["numpy's default integer", "import numpy as np\na = np.arange(100_000)\n[(a ** 2).sum(), np.array([2**31 - 1, 1]).sum(), np.array([1.5e10]).astype(int)[0], np.power(2, 40), np.prod([10**5, 10**5]), np.zeros(1, dtype=int).dtype.name]", [333328333350000, 2147483648, 15000000000, 1099511627776, 10000000000, "int64"]],
  ["numpy integers of a chosen type", "import numpy as np\n[np.array([1], dtype=np.int32).dtype.name, np.arange(3, dtype='i2').dtype.name, np.array(np.array([1], np.int32)).dtype.name]", ["int32", "int16", "int32"]],
  ["indices of 64 bits where numpy wants its own", "import numpy as np\n[np.repeat([1, 2], np.array([1, 2])), np.choose(np.array([0, 1]), [[1, 2], [3, 4]]), np.bincount(np.array([0, 1, 1]))]", [[1, 2, 2], [1, 4], [1, 2]]],
  ["numpy's seeded generator as elsewhere", "import numpy as np\nnp.random.seed(42)\nnp.random.randint(0, 100, 5)", [51, 92, 14, 71, 60]],
  ["pandas' astype(int)", "import pandas as pd\n[pd.Series(['10000000000']).astype(int)[0], pd.Series([1.5]).astype('int').dtype.name]", [10000000000, "int64"]],
];

for (const [title, code, result] of ADAPTED) {
  test(`runs as elsewhere: ${title}`, async () => {
    using session = await openSession(code);
    const told = await session.run(code, 20_000);
    assert.deepEqual([told.error, told.result], [undefined, result]);
  });
}

test("prints warnings, logs and errors of threads to stderr, without frames of its own", async () => {
  using session = await openSession();
  const { stderr, stdout, status } = await session.run(
    "import warnings, logging, threading\nwarnings.warn('careful')\nlogging.warning('logged')\nt = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()",
  );
  assert.deepEqual([status, stdout], ["ok", ""]);
  assert.match(stderr, /<code>:2: UserWarning: careful[^]*WARNING:root:logged[^]*ZeroDivisionError/);
  assert.doesNotMatch(stderr, /belljar/);
});

test("writes what was printed at once, and what was left unended at the end", async () => {
  using session = await openSession();
  const told = await session.run("import sys\nprint('a', end='')\nsys.stderr.write('b')\nsys.stdout = None");
  assert.deepEqual([told.stdout, told.stderr], ["a", "b"]);
  const next = await session.run("print('\\ud83d')\nsys.stdout.close()");
  assert.equal(next.stdout, "\\ud83d\n");
  assert.equal((await session.run("print('still')")).stdout, "still\n");
});

test("draws other random numbers in each sandbox, and the same after a seed", async () => {
  const code = "import random, uuid, numpy as np\n[random.random(), float(np.random.rand()), str(uuid.uuid4())]";
  const draw = async () => {
    using session = await openSession(code);
    return z.array(z.unknown()).length(3).parse((await session.run(code)).result);
  };
  const [first, second] = [await draw(), await draw()];
  for (const [index, value] of first.entries()) assert.notEqual(value, second[index]);
});
