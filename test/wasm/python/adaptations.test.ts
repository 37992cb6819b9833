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
  ["local time in the zone of TZ", "import os, time, datetime as d\nos.environ['TZ'] = 'America/New_York'; time.tzset()\n[time.localtime(0).tm_hour, time.strftime('%H:%M %Z', time.localtime(0)), time.mktime(time.localtime(86400)), d.datetime.fromtimestamp(0), d.datetime(2024, 7, 1).timestamp(), time.timezone]", [19, "19:00 EST", 86400, "1969-12-31T19:00:00", 1719806400, 18000]],
  ["local time in UTC again", "import os, time, datetime as d\nfor name in ('Asia/Tokyo', 'UTC'):\n    os.environ['TZ'] = name; time.tzset()\n[time.localtime(0).tm_hour, d.datetime.fromtimestamp(0), time.tzname]", [0, "1970-01-01T00:00:00", ["UTC", "UTC"]]],
  ["a time zone that there is not", "import os, time\nos.environ['TZ'] = 'Mars/Base'\ntry:\n    time.tzset()\nexcept ValueError as error:\n    told = str(error)\ntold", "no time zone is called 'Mars/Base': take a name such as Europe/Berlin"],
  ["numbers and money of a locale", "import locale\nr = []\nfor name in ('en_US.UTF-8', 'de_DE.UTF-8', 'C'):\n    locale.setlocale(locale.LC_ALL, name)\n    r.append(locale.format_string('%.2f', 1234567.5, grouping=True))\nlocale.setlocale(locale.LC_MONETARY, 'en_GB')\n[*r, locale.currency(1234.5, grouping=True), locale.setlocale(locale.LC_NUMERIC)]", ["1,234,567.50", "1.234.567,50", "1234567.50", "£1,234.50", "C"]],
  ["a locale that there is not", "import locale\ntry:\n    locale.setlocale(locale.LC_ALL, 'xx_YY')\nexcept locale.Error as error:\n    told = str(error)\ntold", "unsupported locale setting"],
  ["inspect.getsource and pickle", "import inspect, pickle\nclass K:\n    x = 1\ndef f():\n    return 2\n[inspect.getsource(f), pickle.loads(pickle.dumps(K())).x]", ["def f():\n    return 2\n", 1]],
  ["numpy's default integer", "import numpy as np\na = np.arange(100_000)\n[(a ** 2).sum(), np.array([2**31 - 1, 1]).sum(), np.array([1.5e10]).astype(int)[0], np.power(2, 40), np.prod([10**5, 10**5]), np.zeros(1, dtype=int).dtype.name]", [333328333350000, 2147483648, 15000000000, 1099511627776, 10000000000, "int64"]],
  ["numpy's functions of plain integers", "import numpy as np\n[int(x) for x in (np.square(100_000), np.multiply(100_000, 100_000), np.add(2**31 - 1, 1), np.left_shift(1, 40), np.subtract([2**31 - 1], [-1])[0], np.add.reduce([2**31 - 1, 1]), np.multiply.accumulate([10**5, 10**5])[1], np.multiply.outer([10**5], [10**5])[0][0], np.matmul([[10**5]], [[10**5]])[0][0], np.einsum('i,i', [10**5], [10**5]), np.abs([-3])[0] * 10**9)]", [10**10, 10**10, 2**31, 2**40, 2**31, 2**31, 10**10, 10**10, 10**10, 10**10, 3 * 10**9]],
  ["numpy's indices and counts", "import numpy as np\na = np.array([3, 1, 2])\nkinds = [x.dtype.name for x in (np.r_[1, 2], np.c_[[1], [2]], np.mgrid[0:3], np.ogrid[0:3], np.argsort(a), np.argmax(a), np.nonzero(a)[0], np.searchsorted([1, 2], [1]), np.bincount([1, 2]), np.digitize([1], [1, 2]), np.meshgrid([1], [2])[0], np.max([1, 2]), a.argsort(), a.argmax(), a.nonzero()[0], np.triu([[1, 2], [3, 4]]))]\n[sorted(set(kinds)), (a.argsort() * 2_000_000_000).tolist(), a[np.argsort(a)], np.take(a, a.argsort())]", [["int64"], [2 * 10**9, 4 * 10**9, 0], [1, 2, 3], [1, 2, 3]]],
  ["numpy's functions as what they are", "import numpy as np, pickle, pandas as pd\n[isinstance(np.add, np.ufunc), repr(np.add), pickle.loads(pickle.dumps(np.add))(1, 2), np.add.identity, np.add(0.5, 1), np.add(np.int32(1), np.int32(1)).dtype.name, pd.Series([3, 4]).apply(np.square).tolist()]", [true, "<ufunc 'add'>", 3, 0, 1.5, "int32", [9, 16]]],
  ["numpy integers of a chosen type", "import numpy as np\n[np.array([1], dtype=np.int32).dtype.name, np.arange(3, dtype='i2').dtype.name, np.array(np.array([1], np.int32)).dtype.name]", ["int32", "int16", "int32"]],
  ["numpy's name of the default integer", "import numpy as np\nfrom numpy import int_\na = np.array([1, 2])\n[np.int_ is np.int64, int_(2**40), np.array([2**40], dtype=np.int_)[0], isinstance(a[0], np.int_), np.issubdtype(a.dtype, int), np.issubdtype(a.dtype, np.int_), a.astype(np.int_).dtype.name, np.iinfo(np.int_).max]", [true, 2 ** 40, 2 ** 40, true, true, true, "int64", "9223372036854775807"]],
  ["numpy's vectorize and histogram", "import numpy as np\n@np.vectorize\ndef f(x): return 10**x\n@np.vectorize(otypes=[int])\ndef g(x): return x * 10**9\n[f([1, 12]), np.vectorize(len)(['a']).dtype.name, g([9]), np.vectorize(int, [int])([1]).dtype.name, np.vectorize(float)([1]).dtype.name, np.histogram([1, 2])[0].dtype.name, np.tril_indices(2)[0].dtype.name]", [[10, 10 ** 12], "int64", [9 * 10 ** 9], "int64", "float64", "int64", "int64"]],
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
