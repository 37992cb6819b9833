import { connect } from "../e2e/driver.ts";
import { serveHttp } from "../host/net/servers.ts";
import type { Row } from "./rows.ts";

const MANY = 100;
const LOOPS = {
  python: (url: string): string => `import requests, time
s = requests.Session()
s.get("${url}")
started = time.monotonic()
for _ in range(${MANY}): s.get("${url}").json()
(time.monotonic() - started) * 1000`,
  javascript: (url: string): string => `await fetch("${url}");
const started = performance.now();
for (let n = 0; n < ${MANY}; n += 1) await (await fetch("${url}")).json();
performance.now() - started`,
} as const;

/** What small requests cost, one after the other, against the same from this Node without a sandbox. */
export async function measureRequests(rounds: number): Promise<readonly Row[]> {
  await using target = await serveHttp((_, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"answer": 42}'));
  await using server = await connect([`--allow-net=127.0.0.1:${String(target.port)}`, "--audit=/dev/null"]);
  const url = `http://127.0.0.1:${String(target.port)}/`;
  const bare: number[] = [];
  const inside: { readonly python: number[]; readonly javascript: number[] } = { python: [], javascript: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const started = performance.now();
    for (let n = 0; n < MANY; n += 1) await (await fetch(url)).json();
    const ms = performance.now() - started;
    // The first round warms.
    if (round > 0) bare.push(ms);
    for (const language of ["python", "javascript"] as const) {
      const { result, error } = await server.run(language, LOOPS[language](url));
      if (typeof result !== "number") throw new Error(error?.message ?? "no time was told");
      if (round > 0) inside[language].push(result);
    }
  }
  return [
    { what: `${MANY} small requests`, who: "this Node without a sandbox", unit: "ms", values: bare },
    { what: `${MANY} small requests, JavaScript (fetch)`, who: "Belljar, in one run", unit: "ms", values: inside.javascript },
    { what: `${MANY} small requests, Python (requests)`, who: "Belljar, in one run", unit: "ms", values: inside.python },
  ];
}
