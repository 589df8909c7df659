import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { referenceDocument } from './reference-document';

const [, , target] = process.argv;
if (target === undefined) {
  process.stderr.write('Usage: node main.js <file to write>\n');
  process.exit(1);
}
writeFileSync(target, `${JSON.stringify(await referenceDocument(), null, 2)}\n`);
