import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startFailureOf } from './start-failure';

const CONFIG = {
  PORT: 3000,
  HOST: '127.0.0.1',
  MANAGEMENT_PORT: 9090,
  MANAGEMENT_HOST: '192.0.2.7',
  CLIENT_DIR: '/nonexistent/client',
  ACME_CA_FILE: undefined,
  S3_BUCKET: 'files',
  USAGE_SPOOL_DIR: 'usage',
  DATABASE_URL: 'postgres://u@h/d?sslmode=verify-full&sslrootcert=%2Fetc%2Froot.pem',
};

const failure = (message: string, fields: object) => Object.assign(new Error(message), fields);

describe('startFailureOf', () => {
  it.each([
    ['a port in use', { code: 'EADDRINUSE', syscall: 'listen', port: 9090, address: '127.0.0.1' }, ['MANAGEMENT_PORT']],
    [
      'an address of another machine',
      { code: 'EADDRNOTAVAIL', syscall: 'listen', address: '192.0.2.7' },
      ['MANAGEMENT_HOST'],
    ],
    ['a host that does not exist', { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: '127.0.0.1' }, ['HOST']],
    ['a missing file', { code: 'ENOENT', path: '/nonexistent/client/index.html' }, ['CLIENT_DIR']],
    ['a missing file of a relative folder', { code: 'ENOENT', path: resolve('usage/spool') }, ['USAGE_SPOOL_DIR']],
    ['a missing certificate of PostgreSQL', { code: 'ENOENT', path: '/etc/root.pem' }, ['DATABASE_URL']],
    ['a parameter that PostgreSQL does not have', { code: '42704' }, ['DATABASE_URL']],
    ['a temporary folder without space', { code: 'ENOSPC', path: join(tmpdir(), 'homeport-usage/spool') }, ['TMPDIR']],
    ['PostgreSQL that refuses connections', { code: 'ECONNREFUSED', syscall: 'connect', port: 5432 }, ['DATABASE_URL']],
    ['a wrong password', { code: '28P01' }, ['DATABASE_URL']],
    ['too many connections', { code: '53300' }, ['DATABASE_POOL_SIZE']],
    ['a database that does not exist', { code: '3D000' }, ['DATABASE_URL']],
  ])('names the setting to correct after %s, without a stack', (_case, fields, settings) => {
    const record = startFailureOf(failure('it failed', fields), CONFIG);
    expect(record).toEqual({
      cause: fields.code,
      settings,
      err: { type: 'Error', message: 'it failed', code: fields.code },
    });
  });

  it('recognizes the errors of Node.js', async () => {
    const [server, second] = [createServer(), createServer()];
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { port: number };
    const [inUse] = await once(second.listen(port, '127.0.0.1'), 'error').catch((error: unknown) => [error]);
    server.close();
    expect(startFailureOf(inUse, { ...CONFIG, PORT: port }).settings).toEqual(['PORT']);
    const missing = await readFile('/nonexistent/client/index.html').catch((error: unknown) => error);
    expect(startFailureOf(missing, CONFIG).settings).toEqual(['CLIENT_DIR']);
  });

  it('keeps the stack of a failure that no setting explains', () => {
    const defect = startFailureOf(failure('syntax error', { code: '42601' }), CONFIG);
    expect(defect).toMatchObject({ cause: '42601', err: { stack: expect.stringContaining('syntax error') } });
    expect(defect.settings).toBeUndefined();
    expect(
      startFailureOf(failure('no such file', { code: 'ENOENT', path: '/other' }), CONFIG).settings,
    ).toBeUndefined();
  });
});
