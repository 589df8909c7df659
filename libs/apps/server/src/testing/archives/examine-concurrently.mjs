// Usage: node --max-old-space-size=<MiB> examine-concurrently.mjs <reader.js> <archive> <format> <how many> <files>
// Examines an archive several times concurrently, keeps the results, and prints the memory that this took.
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [readerFile, file, format, times, files] = process.argv.slice(2);
const { SpooledArchiveReader } = await import(pathToFileURL(readerFile).href);
const MIB = 1024 * 1024;
const limits = { archiveBytes: 200 * MIB, unpackedBytes: 500 * MIB, files: Number(files), fileBytes: 50 * MIB };
const archive = { file, format, archiveBytes: statSync(file).size };
const { signal } = new AbortController();

globalThis.gc?.();
const before = process.memoryUsage();
let peak = 0;
const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage().heapUsed)), 5);
const outcomes = await Promise.all(
  Array.from({ length: Number(times) }, () =>
    new SpooledArchiveReader().examine(archive, limits, signal).catch((error) => String(error.message)),
  ),
);
clearInterval(sampling);
globalThis.gc?.();
const { heapUsed } = process.memoryUsage();
process.stdout.write(
  JSON.stringify({
    outcomes: outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.length)),
    keptMiB: (heapUsed - before.heapUsed) / MIB,
    peakMiB: (peak - before.heapUsed) / MIB,
  }),
);
