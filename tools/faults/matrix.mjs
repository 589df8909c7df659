// `npm run faults`: runs the fault matrix at full size against the built product: PostgreSQL, S3, DNS provider and
// signing keys, each with eight faults of the network, on new connections, on open ones, and while requests are in
// flight. Prints a table of the cells and the figure last, and exits with 1 when a cell failed or is missing. Takes
// about 4 minutes.
import { spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
/** `fault-matrix.e2e.ts` writes it. */
const report = resolve(root, 'tmp/fault-matrix.json');

await rm(report, { force: true });
const args = ['tools/bootstrap/run.mjs', 'test', '--only=jest', '--full', 'reliability/fault-matrix'];
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
const { cells, rows } = await readReport();
const seconds = (milliseconds) => `${(milliseconds / 1_000).toFixed(1)} s`;
const WIDTHS = [40, 30, 9, 9, 9, 0];
const line = (...columns) =>
  console.log(
    columns
      .map((text, at) => text.padEnd(WIDTHS[at]))
      .join(' ')
      .trimEnd(),
  );
line('cell', 'statuses', 'slowest', 'pause', 'healthy', 'recovered last');
for (const { dependency, fault, temperature, statuses, lastProblem, ...times } of rows) {
  const { slowest, longestPause, healthyAfter } = times;
  const measured = [slowest, longestPause, healthyAfter].map(seconds);
  line(`${dependency}, ${fault}, ${temperature}`, statuses, ...measured, lastProblem.slice(0, 60));
}
const most = (name) => seconds(Math.max(0, ...rows.map((row) => row[name])));
const isWhole = rows.length === cells && status === 0;
console.log(
  `${rows.length} of ${cells} cells, ${status === 0 ? 'all as required' : 'FAILURES above'}: slowest answer ` +
    `${most('slowest')}, longest pause of a stream ${most('longestPause')}, healthy after at most ${most('healthyAfter')}`,
);
process.exit(isWhole ? 0 : 1);

/** Empty when the run ended before. */
async function readReport() {
  try {
    return JSON.parse(await readFile(report, 'utf8'));
  } catch {
    return { cells: 'all', rows: [] };
  }
}
