import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { runtimeContract } from '../../../testing/runtime/runtime.contract';
import { BareSandbox } from '../../sandbox/bare-sandbox';

let runDirectory: string;
beforeAll(async () => void (runDirectory = await mkdtemp(join(tmpdir(), 'hp-bare-'))));
afterAll(() => rm(runDirectory, { recursive: true, force: true }));

runtimeContract('BareSandbox', () => new BareSandbox({ runDirectory, node: process.execPath }));
