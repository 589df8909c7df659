import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, S3Process } from '@homeport/dev-services';
import { type ApiProcess, spawnApi } from '../../product-processes';
import { settings, signIn } from '../../homeport';
import { suiteSize, inParallel, randomFrom, seed } from '../../suites';
import { rawCall } from './raw-call';

const ROUNDS = suiteSize(1, 10);
const WRITERS = suiteSize(100, 200);
const KIB = 1024;
const MIB = 1024 * KIB;

/** Writes one file repeatedly, until a write fails. */
interface Writer {
  readonly path: string;
  readonly size: number;
  readonly isChunked: boolean;
  /** Version numbers; 0: none. */
  attempted: number;
  acknowledged: number;
}

function writerOf(round: string, number: number): Writer {
  const rest = { path: `${round}/${number}`, isChunked: number % 20 === 7, attempted: 0, acknowledged: 0 };
  if (number % 50 === 0) return { ...rest, size: 17 * MIB };
  if (number % 50 === 7) return { ...rest, size: 9 * MIB };
  return { ...rest, size: number % 10 === 1 ? 2 * MIB : (1 + (number % 100)) * KIB };
}

function versionOf({ path, size }: Writer, version: number): Buffer {
  return Buffer.alloc(size, `${path}, version ${version};`);
}

describe.each(['API', 'storage'] as const)('killing the %s during writes', (victim) => {
  const random = randomFrom(seed);
  let dataDir: string;
  let storage: S3Process;
  let storageEnv: Record<string, string>;
  let api: ApiProcess;
  let token: string;

  const startStorage = async () => {
    storage = new S3Process(storageEnv);
    return storage.endpoint();
  };
  const startApi = async () => {
    api = await spawnApi({ S3_ENDPOINT: `http://127.0.0.1:${storageEnv['S3_PORT']}` });
  };
  const ask = (method: string, { path, isChunked }: Writer, body?: Buffer) =>
    rawCall({ method, url: `${api.url}/api/files/${path}`, token, body, isChunked: isChunked && body !== undefined });

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'homeport-crash-'));
    const names = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
    const keys = Object.fromEntries(names.map((name) => [name, settings[name] as string]));
    storageEnv = { ...keys, DATA_DIR: dataDir, S3_PORT: String(await freePort()) };
    await startStorage();
    await startApi();
  });
  afterAll(async () => {
    await api.stop();
    await storage.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  const crash = () => (victim === 'API' ? api.kill() : storage.stop('SIGKILL'));
  const restart = async () => {
    if (victim === 'API') await startApi();
    else await startStorage();
  };

  /**
   * Writes until the crash, which follows after `crashAfter` acknowledged writes. @returns the statuses of failed
   * writes.
   */
  async function writeUntilCrash(writers: readonly Writer[], crashAfter: number): Promise<(number | undefined)[]> {
    const failures: (number | undefined)[] = [];
    let acknowledged = 0;
    let crashed: Promise<unknown> = Promise.resolve();
    await inParallel(writers, writers.length, async (writer) => {
      for (;;) {
        writer.attempted += 1;
        const { status = 0 } = await ask('PUT', writer, versionOf(writer, writer.attempted));
        if (status !== 200 && status !== 201) return void failures.push(status);
        writer.acknowledged = writer.attempted;
        acknowledged += 1;
        if (acknowledged === crashAfter) crashed = crash();
      }
    });
    await crashed;
    return failures;
  }

  async function problemOf(writer: Writer): Promise<string | undefined> {
    const { attempted, acknowledged, path } = writer;
    const { status, body, isWhole } = await ask('GET', writer);
    if (status === 404 && acknowledged === 0) return undefined;
    if (status !== 200 || !isWhole) return `${path}: ${status}, ${acknowledged} of ${attempted} acknowledged`;
    const isKnown = [acknowledged, attempted].some((each) => each > 0 && versionOf(writer, each).equals(body));
    return isKnown ? undefined : `${path}: ${body.length} of ${writer.size} bytes are neither version`;
  }

  it(`loses no acknowledged write and stores no partial file, ${ROUNDS} times`, async () => {
    let total = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      ({ token } = await signIn('ada'));
      const writers = Array.from({ length: WRITERS }, (_, i) => writerOf(`crash-${process.pid}-${round}`, i));
      const failures = await writeUntilCrash(writers, 1 + Math.floor(random() * suiteSize(1, 3) * WRITERS));
      expect(failures.filter((status) => status && ![502, 503, 504].includes(status))).toEqual([]);
      await restart();
      const problems: string[] = [];
      await inParallel(writers, 8, async (writer) => {
        const problem = await problemOf(writer);
        if (problem !== undefined) problems.push(problem);
      });
      expect([round, problems, api.unexpectedErrors()]).toEqual([round, [], []]);
      total += writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    }
    console.info(`${victim}: ${ROUNDS} crashes, ${total} acknowledged writes`);
  }, 900_000);
});
