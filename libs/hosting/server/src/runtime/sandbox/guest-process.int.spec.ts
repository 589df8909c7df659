import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { GuestProcess } from './guest-process';

/** Says that it listens, then writes to the connection to the runtime until no data was read for many turns. */
const FLOOD = `
  const { writeSync } = require('node:fs');
  const chunk = Buffer.alloc(65536, 'x');
  let written = 0;
  let turns = 0;
  const flood = () => {
    try {
      for (;;) {
        written += writeSync(4, chunk);
        turns = 0;
        if (written > 67108864) break;
      }
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
    turns += 1;
    if (turns < 20000 && written <= 67108864) return setImmediate(flood);
    console.log(written > 67108864 ? 'the runtime read everything' : 'the runtime stopped reading');
    process.exit();
  };
  new (require('node:net').Socket)({ fd: 4 }).write('listening\\n', flood);`;

it('reads nothing more from an app that listens, which could flood it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hp-guest-'));
  const lines: string[] = [];
  try {
    const guest = await GuestProcess.start({
      command: process.execPath,
      args: ['-e', FLOOD],
      visibleEnvironment: {},
      environment: {},
      cwd: folder,
      folder,
      onLine: ({ line }) => lines.push(line),
    });
    await guest.listened;
    await guest.closed;
    expect(lines).toEqual(['the runtime stopped reading']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
