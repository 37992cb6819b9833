import { existsSync, renameSync, symlinkSync } from "node:fs";

/**
 * A process of its own that exchanges names in a folder for links, over and over, until the file `stop` is there:
 * `node exchanger.ts STOP NAME TARGET …`. What is at NAME goes to NAME.aside meanwhile.
 */
const [stop = "", ...pairs] = process.argv.slice(2);
const names = pairs.filter((_, index) => index % 2 === 0).map((name, index) => ({ name, target: pairs[index * 2 + 1] ?? "" }));

for (const { name, target } of names) symlinkSync(target, `${name}.link`);
process.stdout.write("ready\n");
while (!existsSync(stop)) {
  for (let round = 0; round < 200; round += 1) {
    for (const { name } of names) {
      renameSync(name, `${name}.aside`);
      renameSync(`${name}.link`, name);
    }
    for (const { name } of names) {
      renameSync(name, `${name}.link`);
      renameSync(`${name}.aside`, name);
    }
  }
}
