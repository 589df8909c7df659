import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { LineReader } from './line-reader';

async function linesOf(...chunks: readonly (string | Buffer)[]): Promise<string[]> {
  const output = new PassThrough();
  const lines: string[] = [];
  new LineReader(output, (line) => lines.push(line));
  for (const chunk of chunks) output.write(chunk);
  output.end();
  await new Promise((resolve) => output.once('close', resolve));
  return lines;
}

describe('LineReader', () => {
  it('joins chunks to lines, across characters, and keeps the last line without a break', async () => {
    const euro = Buffer.from('€');
    const lines = await linesOf('a', 'b\nc\r\n\n', euro.subarray(0, 1), euro.subarray(1), ' end');
    expect(lines).toEqual(['ab', 'c', '', '€ end']);
  });

  it('splits long lines, so that none fills the memory', async () => {
    const lines = await linesOf('x'.repeat(40_000), `${'y'.repeat(20_000)}\nz\n`);
    expect(lines.map(({ length }) => length)).toEqual([16_384, 16_384, 16_384, 10_848, 1]);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Writes until the reader stops reading, in no time. */
  const flood = async (output: PassThrough, line: string) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const lines: string[] = [];
    const reader = new LineReader(output, (each) => lines.push(each));
    const chunk = Buffer.from(line.repeat((64 * 1024) / line.length));
    while (output.write(chunk)) await new Promise(setImmediate);
    return { reader, lines };
  };

  it.each([
    ['long lines', `${'x'.repeat(1023)}\n`, 160],
    ['empty lines, which are work as well,', '\n', 1400],
  ])('leaves a flood of %s in the pipe', async (_, line, limit) => {
    const output = new PassThrough({ highWaterMark: 64 * 1024 });
    const { lines } = await flood(output, line);
    expect(output.isPaused()).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(limit);
    output.destroy();
  });

  it('passes on the last lines of a flood when the process exits', async () => {
    const output = new PassThrough({ highWaterMark: 64 * 1024 });
    const { reader, lines } = await flood(output, '\n');
    output.end('the reason');
    reader.finish();
    await new Promise((resolve) => output.once('close', resolve));
    expect(lines.at(-1)).toBe('the reason');
    expect(lines.length).toBeLessThan(20_000);
  });
});
