import { connect } from "../e2e/driver.ts";
import { archiveMegabytes, binaryMegabytes, memory } from "./machine.ts";
import { PANDAS } from "./programs.ts";
import { atMost, type Row } from "./rows.ts";

/** What waiting for calls weighs, and the file. */
export async function weights(): Promise<readonly Row[]> {
  const file: Row = { what: "the file", who: "Belljar", unit: "MB", values: [binaryMegabytes()] };
  const archived = await archiveMegabytes();
  const archive: readonly Row[] = archived === undefined ? [] : [{ what: "the file, packed by xz -6", who: "Belljar", unit: "MB", values: [archived] }];
  const sized = [atMost(300, file), ...archive.map((row) => atMost(110, row))];
  if (process.platform !== "linux") return sized;
  await using server = await connect();
  await server.run("python", "1");
  await new Promise((done) => setTimeout(done, 3_000));
  const weigh = (what: string, field: Parameters<typeof memory>[1]): Row => ({ what, who: "Belljar", unit: "MB", values: [memory(server.pid, field)] });
  const idle = [
    atMost(350, weigh("idle with both languages ready (PSS)", "Pss")),
    weigh("of it the mapped file, which the system can take back", "Pss_File"),
    weigh("of it memory of its own", "Pss_Anon"),
  ];
  await server.run("python", PANDAS);
  return [...idle, weigh("after a pandas run (PSS)", "Pss"), ...sized, atMost(25, await furtherSandbox())];
}

/** How many sandboxes are ready without more than one call at a time, and with as many calls as there may be threads. */
const FEW = 2;
const MANY = 6;

/** What each thread adds that keeps a fresh sandbox ready, once more calls have come at once than before. */
async function furtherSandbox(): Promise<Row> {
  await using server = await connect([`--workers=${String(MANY)}`]);
  const settled = async (): Promise<number> => {
    await new Promise((done) => setTimeout(done, 3_000));
    return memory(server.pid);
  };
  await server.run("python", "1");
  await server.run("python", "1");
  const few = await settled();
  await Promise.all(Array.from({ length: 2 * MANY }, () => server.run("python", "import time; time.sleep(1)")));
  return { what: "each further Python sandbox kept ready (PSS)", who: "Belljar", unit: "MB", values: [((await settled()) - few) / (MANY - FEW)] };
}
