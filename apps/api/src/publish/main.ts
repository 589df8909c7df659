import 'reflect-metadata';
import { publishPrices } from './publish-prices';

const databaseUrl = process.env['DATABASE_URL'];
if (!databaseUrl) {
  process.stderr.write('DATABASE_URL is not set.\n');
  process.exit(1);
}
const print = (line: string) => void process.stdout.write(`${line}\n`);
const isWell = await publishPrices({ databaseUrl, args: process.argv.slice(2), print }).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return false;
});
process.exit(isWell ? 0 : 1);
