import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Longer lines are split, so that an app cannot fill the memory of the runtime with one line. */
const LINE_LIMIT = 16 * 1024;
/** A flood beyond this rate waits in the pipe: it slows the app down and not the runtime. */
const BYTES_PER_SECOND = 2 * 1024 * 1024;

/** Splits the output of a process into lines without their breaks, of at most 16 Ki characters. */
export function readLines(output: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const take = (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) for (const part of partsOf(line.replace(/\r$/, ''))) onLine(part);
    while (rest.length >= LINE_LIMIT) {
      onLine(rest.slice(0, LINE_LIMIT));
      rest = rest.slice(LINE_LIMIT);
    }
  };
  output.on('data', (chunk: Buffer) => take(decoder.write(chunk)));
  output.once('end', () => {
    take(decoder.end());
    if (rest !== '') onLine(rest);
  });
  output.on('error', () => undefined);
  limitRate(output);
}

function partsOf(line: string): string[] {
  if (line.length <= LINE_LIMIT) return [line];
  return Array.from({ length: Math.ceil(line.length / LINE_LIMIT) }, (_, at) =>
    line.slice(at * LINE_LIMIT, (at + 1) * LINE_LIMIT),
  );
}

function limitRate(output: Readable): void {
  let left = BYTES_PER_SECOND;
  let refill: NodeJS.Timeout | undefined;
  output.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    refill ??= setTimeout(() => {
      left = BYTES_PER_SECOND;
      refill = undefined;
      output.resume();
    }, 1_000).unref();
    if (left <= 0) output.pause();
  });
  output.once('close', () => clearTimeout(refill));
}
