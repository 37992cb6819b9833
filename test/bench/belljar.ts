import { connect } from "../e2e/driver.ts";
import { binaryMegabytes, memory } from "./machine.ts";
import { PANDAS } from "./programs.ts";
import { atMost, type Row } from "./rows.ts";

/** What waiting for calls weighs, and the file. */
export async function weights(): Promise<readonly Row[]> {
  const file: Row = { what: "the file", who: "Belljar", unit: "MB", values: [binaryMegabytes()] };
  const sized = atMost(300, file);
  if (process.platform !== "linux") return [sized];
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
  return [...idle, weigh("after a pandas run (PSS)", "Pss"), sized];
}
