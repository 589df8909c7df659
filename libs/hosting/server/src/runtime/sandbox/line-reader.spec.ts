import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { readLines } from './line-reader';

async function linesOf(...chunks: readonly (string | Buffer)[]): Promise<string[]> {
  const output = new PassThrough();
  const lines: string[] = [];
  readLines(output, (line) => lines.push(line));
  for (const chunk of chunks) output.write(chunk);
  output.end();
  await new Promise((resolve) => output.once('close', resolve));
  return lines;
}

describe('readLines', () => {
  it('joins chunks to lines, across characters, and keeps the last line without a break', async () => {
    const euro = Buffer.from('€');
    const lines = await linesOf('a', 'b\nc\r\n\n', euro.subarray(0, 1), euro.subarray(1), ' end');
    expect(lines).toEqual(['ab', 'c', '', '€ end']);
  });

  it('splits long lines, so that none fills the memory', async () => {
    const lines = await linesOf('x'.repeat(40_000), `${'y'.repeat(20_000)}\nz\n`);
    expect(lines.map(({ length }) => length)).toEqual([16_384, 16_384, 16_384, 10_848, 1]);
  });

  it('reads no more than a limited amount at once', async () => {
    const output = new PassThrough({ highWaterMark: 64 * 1024 });
    let read = 0;
    readLines(output, ({ length }) => (read += length + 1));
    const line = Buffer.from(`${'x'.repeat(1023)}\n`.repeat(64));
    while (output.write(line)) await new Promise(setImmediate);
    expect(output.isPaused()).toBe(true);
    expect(read).toBeLessThanOrEqual(2 * 1024 ** 2 + line.length);
    output.destroy();
  });
});
