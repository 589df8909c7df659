import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { processStartOf } from '../processes.mjs';
import { removePostgresData } from './index.ts';

const main = join(import.meta.dirname, 'main.ts');
const supervisors: ChildProcess[] = [];
const roots: string[] = [];
/** The tests share it, because initialising a folder takes seconds. Each of them works with an empty one, too. */
let dataDir: string;

async function newRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'homeport-pg-'));
  roots.push(root);
  return root;
}

beforeAll(async () => {
  dataDir = join(await newRoot(), '.data');
});

afterEach(async () => {
  await Promise.all(supervisors.splice(0).map(stop));
});

afterAll(async () => {
  for (const root of roots) {
    await removePostgresData(join(root, '.data'));
    await rm(root, { recursive: true });
  }
});

async function stop(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  supervisor.kill('SIGTERM');
  await once(supervisor, 'exit');
}

type Message = { type: 'ready'; port: number; url: string } | { type: 'failed'; message: string };

async function start(env: Record<string, string> = {}): Promise<{ supervisor: ChildProcess; message: Message }> {
  const supervisor = fork(main, {
    env: { DATA_DIR: dataDir, PATH: '/usr/bin:/bin', ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  supervisors.push(supervisor);
  const ended = once(supervisor, 'exit').then(([code]) =>
    Promise.reject(new Error(`The supervisor exited with ${code}`)),
  );
  const [message] = (await Promise.race([once(supervisor, 'message'), ended])) as [Message];
  ended.catch(() => undefined);
  return { supervisor, message };
}

async function startReady(
  env?: Record<string, string>,
): Promise<{ supervisor: ChildProcess; url: string; port: number }> {
  const { supervisor, message } = await start(env);
  if (message.type === 'failed') throw new Error(message.message);
  return { supervisor, ...message };
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

async function postmaster(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);
}

describe('embedded PostgreSQL', () => {
  it('is a durable UTF-8 database with a generated password, on loopback only', async () => {
    const { url } = await startReady();
    expect(await query(url, 'SHOW server_version_num')).toEqual([expect.stringMatching(/^18/)]);
    expect(await query(url, 'SHOW fsync')).toEqual(['on']);
    expect(await query(url, 'SHOW server_encoding')).toEqual(['UTF8']);
    expect(await query(url, 'SHOW listen_addresses')).toEqual(['127.0.0.1']);
    expect(await query(url, "SELECT lower('ÄÉ')")).toEqual(['äé']);
    await expect(query(url.replace(/:[^:@]*@/, ':guess@'), 'SELECT 1')).rejects.toThrow(/password/);
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o077).toBe(0);
  });

  it('keeps its data after restarts and after a SIGKILL of the supervisor and of PostgreSQL', async () => {
    const first = await startReady();
    await query(first.url, 'CREATE TABLE numbers (n int)');
    await query(first.url, 'INSERT INTO numbers VALUES (1)');
    await stop(first.supervisor);

    const second = await startReady();
    await query(second.url, 'INSERT INTO numbers VALUES (2)');
    const orphan = await postmaster();
    second.supervisor.kill('SIGKILL');
    await once(second.supervisor, 'exit');

    const third = await startReady();
    expect(processStartOf(orphan)).toBeUndefined();
    expect(await query(third.url, 'INSERT INTO numbers VALUES (3) RETURNING n')).toEqual([3]);
    process.kill(await postmaster(), 'SIGKILL');
    await once(third.supervisor, 'exit');
    expect(third.supervisor.exitCode).toBe(1);

    const fourth = await startReady();
    expect(await query(fourth.url, 'SELECT n FROM numbers ORDER BY n')).toEqual([1, 2, 3]);
  });

  it('stops PostgreSQL when the parent process has ended', async () => {
    const { supervisor } = await startReady();
    const pid = await postmaster();
    supervisor.disconnect();
    await once(supervisor, 'exit');
    expect(processStartOf(pid)).toBeUndefined();
  });

  it('prevents a second supervisor from using the data of the first', async () => {
    const { url } = await startReady();
    const { message } = await start();
    expect(message).toMatchObject({ type: 'failed', message: expect.stringMatching(/already runs/) });
    expect(await query(url, 'SELECT 1')).toEqual([1]);
  });

  it('works in a checkout that other users cannot enter', async () => {
    const root = await newRoot();
    await mkdir(join(root, '.data'));
    await chmod(root, 0o700);
    const { url } = await startReady({ DATA_DIR: join(root, '.data') });
    expect(await query(url, 'SELECT 1')).toEqual([1]);
  });

  it('starts empty when the data folder was deleted', async () => {
    const first = await startReady();
    await query(first.url, 'CREATE TABLE t (n int)');
    await stop(first.supervisor);
    await rm(dataDir, { recursive: true });
    const { url } = await startReady();
    expect(await query(url, "SELECT count(*)::int FROM pg_tables WHERE tablename = 't'")).toEqual([0]);
  });

  it('ignores an interrupted initialisation', async () => {
    const first = await startReady();
    await stop(first.supervisor);
    const folder = join(dataDir, 'postgres');
    await rm(join(folder, 'data'), { recursive: true });
    await mkdir(join(folder, 'data.partial/base'), { recursive: true });
    const { url } = await startReady();
    expect(await query(url, 'SELECT 1')).toEqual([1]);
  });

  it('explains what to do: port in use, data of another version, production', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const inUse = await start({ POSTGRES_PORT: String(port) });
    expect(inUse.message).toMatchObject({ type: 'failed', message: expect.stringMatching(/in use.*POSTGRES_PORT/) });
    taken.close();

    const versionFile = join(dataDir, 'postgres/data/PG_VERSION');
    const version = await readFile(versionFile);
    await writeFile(versionFile, '17\n');
    const other = await start();
    await writeFile(versionFile, version);
    expect(other.message).toMatchObject({ message: expect.stringMatching(/created by PostgreSQL 17.*npm run reset/) });

    const production = await start({ NODE_ENV: 'production' });
    expect(production.message).toMatchObject({ message: expect.stringMatching(/NODE_ENV=production/) });
  });
});
