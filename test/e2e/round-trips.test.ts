import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect } from "./driver.ts";

const server = await connect(["--timeout-ms=120000"]);
after(() => server[Symbol.asyncDispose]());

/** A kind of file: one run writes it, its resource is read by the client, and another run is given what was read. */
interface Kind {
  readonly title: string;
  readonly path: string;
  readonly mimeType: string;
  /** How every file of this kind begins. */
  readonly magic: string;
  readonly language?: "javascript";
  readonly write: string;
  readonly read: string;
  readonly result: unknown;
}

const FRAME = 'import pandas as pd\ndf = pd.DataFrame({"name": ["Ann", "Bén"], "n": [1, 2], "x": [0.5, None]})\n';
const ROWS = [
  ["Ann", 1, 0.5],
  ["Bén", 2, null],
];
const LIST = "\ndf.astype(object).where(df.notna(), None).values.tolist()";

const KINDS: readonly Kind[] = [
  { title: "CSV", path: "t.csv", mimeType: "text/csv", magic: "name,n,x\n", write: `${FRAME}df.to_csv("t.csv", index=False)`, read: `import pandas as pd\ndf = pd.read_csv("t.csv")${LIST}`, result: ROWS },
  { title: "JSON", path: "t.json", mimeType: "application/json", magic: "[{", write: `${FRAME}df.to_json("t.json", orient="records")`, read: `import pandas as pd\ndf = pd.read_json("t.json")${LIST}`, result: ROWS },
  {
    title: "Excel by openpyxl",
    path: "out/t.xlsx",
    mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    magic: "PK\u0003\u0004",
    write: `import os; os.makedirs("out")\n${FRAME}df.to_excel("out/t.xlsx", sheet_name="Data", index=False)
import openpyxl
book = openpyxl.load_workbook("out/t.xlsx")
book["Data"]["D1"] = "=SUM(B2:B3)"
book.save("out/t.xlsx")`,
    read: `import openpyxl, pandas as pd\ndf = pd.read_excel("out/t.xlsx", usecols="A:C")
assert openpyxl.load_workbook("out/t.xlsx")["Data"]["D1"].value == "=SUM(B2:B3)"${LIST}`,
    result: ROWS,
  },
  {
    title: "Excel by xlsxwriter",
    path: "t.xlsx",
    mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    magic: "PK\u0003\u0004",
    write: `import xlsxwriter
book = xlsxwriter.Workbook("t.xlsx")
sheet = book.add_worksheet("Sales")
sheet.write_row(0, 0, ["month", "units"], book.add_format({"bold": True}))
for row, (month, units) in enumerate([("Jan", 3), ("Feb", 5)], 1):
    sheet.write_row(row, 0, [month, units])
chart = book.add_chart({"type": "column"})
chart.add_series({"values": "=Sales!$B$2:$B$3"})
sheet.insert_chart("D2", chart)
book.close()`,
    read: 'import pandas as pd\npd.read_excel("t.xlsx", sheet_name="Sales").to_dict("list")',
    result: { month: ["Jan", "Feb"], units: [3, 5] },
  },
  {
    title: "PDF",
    path: "t.pdf",
    mimeType: "application/pdf",
    magic: "%PDF-1.",
    write: `from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table
style = getSampleStyleSheet()
SimpleDocTemplate("t.pdf", pagesize=A4, title="Invoice").build([Paragraph("Invoice 42", style["Title"]), Table([["Tea", "3.50"]]), PageBreak(), Paragraph("Thank you", style["Normal"])])`,
    read: 'from pypdf import PdfReader\npdf = PdfReader("t.pdf")\n[pdf.metadata.title, len(pdf.pages), pdf.pages[0].extract_text().split(), pdf.pages[1].extract_text().strip()]',
    result: ["Invoice", 2, ["Invoice", "42", "Tea", "3.50"], "Thank you"],
  },
  {
    title: "SQLite",
    path: "t.sqlite",
    mimeType: "application/vnd.sqlite3",
    magic: "SQLite format 3\0",
    write: `${FRAME}import sqlite3
with sqlite3.connect("t.sqlite") as db:
    df.to_sql("people", db, index=False)
    db.execute("create index by_name on people(name)")
db.close()`,
    read: 'import sqlite3\nsqlite3.connect("t.sqlite").execute("select name, n, x from people order by n").fetchall()',
    result: ROWS,
  },
  {
    title: "zip",
    path: "t.zip",
    mimeType: "application/zip",
    magic: "PK\u0003\u0004",
    write: 'import zipfile\nwith zipfile.ZipFile("t.zip", "w", zipfile.ZIP_DEFLATED) as z:\n    z.writestr("a/é.txt", "hello " * 1000)\n    z.writestr("b.bin", bytes(range(256)))',
    read: 'import zipfile\nz = zipfile.ZipFile("t.zip")\n[z.testzip(), z.namelist(), z.read("a/é.txt").decode()[:5], z.read("b.bin")[-1]]',
    result: [null, ["a/é.txt", "b.bin"], "hello", 255],
  },
  {
    title: "XML",
    path: "t.xml",
    mimeType: "text/xml",
    magic: "<?xml version='1.0' encoding='utf-8'?>",
    write: `import xml.etree.ElementTree as ET
root = ET.Element("people")
for name in ("Ann", "Bén & Co"):
    ET.SubElement(root, "person", id=name[0]).text = name
ET.ElementTree(root).write("t.xml", encoding="utf-8", xml_declaration=True)`,
    read: 'from lxml import etree\n[(p.get("id"), p.text) for p in etree.parse("t.xml").iter("person")]',
    result: [
      ["A", "Ann"],
      ["B", "Bén & Co"],
    ],
  },
  {
    title: "PNG",
    path: "t.png",
    mimeType: "image/png",
    magic: "\u0089PNG\r\n",
    write: 'from PIL import Image\nimage = Image.new("RGB", (40, 30), "white")\nimage.paste((255, 0, 0), (10, 10, 20, 20))\nimage.save("t.png")',
    read: 'from PIL import Image\nimage = Image.open("t.png")\n[image.size, image.getpixel((15, 15)), image.getpixel((0, 0))]',
    result: [
      [40, 30],
      [255, 0, 0],
      [255, 255, 255],
    ],
  },
  { title: "gzip", path: "t.csv.gz", mimeType: "application/gzip", magic: "\u001f\u008b", write: `${FRAME}df.to_csv("t.csv.gz", index=False)`, read: `import pandas as pd\ndf = pd.read_csv("t.csv.gz")${LIST}`, result: ROWS },
  { title: "pickle", path: "t.pkl", mimeType: "application/octet-stream", magic: "\u0080", write: `${FRAME}df.to_pickle("t.pkl")`, read: `import pandas as pd\ndf = pd.read_pickle("t.pkl")${LIST}`, result: ROWS },
  {
    title: "NumPy arrays",
    path: "t.npz",
    mimeType: "application/octet-stream",
    magic: "PK\u0003\u0004",
    write: 'import numpy as np\nnp.savez_compressed("t.npz", a=np.arange(4), b=np.eye(2))',
    read: 'import numpy as np\nd = np.load("t.npz")\n[d["a"], d["b"]]',
    result: [
      [0, 1, 2, 3],
      [
        [1, 0],
        [0, 1],
      ],
    ],
  },
  {
    title: "JSON and bytes in JavaScript",
    language: "javascript",
    path: "t.json",
    mimeType: "application/json",
    magic: "{",
    write: 'import fs from "node:fs";\nfs.writeFileSync("t.json", JSON.stringify({ name: "Bén", list: [1, null] }));',
    read: 'JSON.parse(require("fs").readFileSync("/work/t.json", "utf8"))',
    result: { name: "Bén", list: [1, null] },
  },
];

for (const { title, path, mimeType, magic, language = "python", write, read, result } of KINDS) {
  test(`${title}: what one run writes is read as a resource, and by another run`, async () => {
    const written = await server.run(language, write);
    assert.equal(written.status, "ok", written.error?.traceback ?? "");
    assert.equal(written.files?.length, 1, JSON.stringify(written.files));
    const [file] = written.files ?? [];
    assert.equal(file?.path, `/work/${path}`);
    assert.equal(file?.mime_type, mimeType);
    const bytes = await server.read(file?.uri ?? "");
    assert.equal(bytes.length, file?.bytes);
    assert.equal(bytes.subarray(0, Buffer.byteLength(magic, mimeType.startsWith("text") ? "utf8" : "latin1")).toString("latin1"), magic);
    const again = await server.run(language, read, { files: [{ path, base64: bytes.toString("base64") }] });
    assert.deepEqual(again.result, result, again.error?.traceback ?? "");
    assert.equal(again.files, undefined, "reading changes nothing");
  });
}

test("old Excel files are read by xlrd", async () => {
  // One sheet `S` with "Ann" and 7 in its first row, as BIFF 5 records without the compound file around them.
  const outcome = await server.run(
    "python",
    `import struct, xlrd
record = lambda kind, body: struct.pack("<HH", kind, len(body)) + body
globals_ = record(0x809, struct.pack("<HHHH", 0x500, 5, 0, 0)) + record(0x42, struct.pack("<H", 1252))
sheet_at = len(globals_) + 4 + 6 + 2 + 4
book = globals_ + record(0x85, struct.pack("<IH", sheet_at, 0) + b"\\x01S") + record(10, b"")
book += record(0x809, struct.pack("<HHHH", 0x500, 16, 0, 0))
book += record(0x204, struct.pack("<HHHH", 0, 0, 0, 3) + b"Ann") + record(0x203, struct.pack("<HHHd", 0, 1, 0, 7.0)) + record(10, b"")
xlrd.open_workbook(file_contents=book).sheet_by_name("S").row_values(0)`,
  );
  assert.deepEqual(outcome.result, ["Ann", 7], outcome.error?.traceback ?? "");
});

test("Parquet, which needs what is not inside, says what to use instead", async () => {
  const { error } = await server.run("python", 'import pandas as pd\npd.DataFrame({"a": [1]}).to_parquet("t.parquet")');
  assert.equal(error?.type, "ImportError");
  const { text } = await server.call("execute_python", { code: 'import pandas as pd\npd.read_parquet("t.parquet")' });
  assert.match(text, /CSV, JSON, Excel or SQLite/);
});
