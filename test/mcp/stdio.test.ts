import assert from "node:assert/strict";
import { test } from "node:test";
import { openSession } from "./session.ts";

const refusal = async (bytes: string | Uint8Array, longest?: number): Promise<unknown> => {
  const session = await openSession(longest === undefined ? {} : { longest });
  session.raw(bytes);
  const { id, error } = await session.waitFor((message) => message.error !== undefined);
  const { result } = await session.request("ping");
  assert.deepEqual(result, {}, "the next message is read");
  await session.close();
  return { id, error };
};

test("what is not JSON is told, and reading goes on", async () => {
  assert.deepEqual(await refusal("hello\n"), {
    id: null,
    error: {
      code: -32700,
      message: 'Not a JSON-RPC message: Unexpected token \'h\', "hello" is not valid JSON.',
    },
  });
});

test("what is not UTF-8 is told", async () => {
  assert.deepEqual(await refusal(Uint8Array.of(0x22, 0xff, 0x22, 0x0a)), {
    id: null,
    error: { code: -32700, message: "Not a JSON-RPC message: it is not UTF-8." },
  });
});

test("JSON that is no message is told with its id", async () => {
  assert.deepEqual(await refusal('{"jsonrpc":"1.0","id":"a","method":"ping"}\n'), {
    id: "a",
    error: { code: -32600, message: "Not a JSON-RPC message: it is no request, notification or response." },
  });
});

test("a batch is told to be none", async () => {
  assert.deepEqual(await refusal("[]\n"), {
    id: null,
    error: { code: -32600, message: "Not a JSON-RPC message: MCP has no batches." },
  });
});

test("deep nesting is answered", async () => {
  const { error } = Object(await refusal(`${"[".repeat(200_000)}${"]".repeat(200_000)}\n`));
  assert.equal(error.code, -32600);
});

for (const [place, line] of [
  ["first", `{"jsonrpc":"2.0","id":77,"method":"ping","params":{"x":"${"y".repeat(5_000)}"}}`],
  ["last", `{"method":"ping","params":{"x":"${"y".repeat(5_000)}"},"jsonrpc":"2.0","id":"seven"}`],
] as const) {
  test(`a message too long to read is refused with its id, when that is the ${place} member`, async () => {
    assert.deepEqual(await refusal(`${line}\n`, 4_096), {
      id: place === "first" ? 77 : "seven",
      error: {
        code: -32600,
        message: `The message is ${line.length.toLocaleString("en-US")} bytes, and at most 4,096 are read. Send less in one call.`,
      },
    });
  });
}

test("an id inside the text of a long message is not taken for its id", async () => {
  const inside = String.raw`{"x":"${"y".repeat(5_000)},\"id\":5}"}`;
  assert.equal(Object(await refusal(`${inside}\n`, 4_096)).id, null);
});

test("a message split anywhere, also within a character, is read whole", async () => {
  const session = await openSession();
  const bytes = Buffer.from('{"jsonrpc":"2.0","id":"é漢🐍","method":"ping"}\r\n');
  for (const byte of bytes) session.raw(Uint8Array.of(byte));
  const { result } = await session.waitFor(({ id }) => id === "é漢🐍");
  assert.deepEqual(result, {});
  await session.close();
});

test("blank lines are passed over", async () => {
  const session = await openSession();
  session.raw("\n\r\n  \n");
  await session.request("ping");
  assert.equal(session.messages.filter(({ error }) => error !== undefined).length, 0);
  await session.close();
});
