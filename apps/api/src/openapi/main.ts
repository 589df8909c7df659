import 'reflect-metadata';
import { writeFileSync } from 'node:fs';

const USAGE = 'Usage: node dist/api/apps/api/src/openapi/main.js <file to write>\n';

const [, , target, ...more] = process.argv;
if (target === '--help' || target === '-h') {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (target === undefined || target.startsWith('-') || more.length > 0) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const { referenceDocument } = await import('./reference-document');
writeFileSync(target, `${JSON.stringify(await referenceDocument(), null, 2)}\n`);
