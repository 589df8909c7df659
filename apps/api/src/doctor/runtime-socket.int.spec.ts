import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asUnprivileged, embeddedServices } from '@homeport/platform/server/testing';
import { doctorLine } from './testing/doctor-lines';

const OWN_CHECK = 'node dist/api/apps/runtime/src/main.js doctor';

describe('the doctor of the socket of a runtime', () => {
  let folder: string;
  let server: Server | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-doctor-'));
  });
  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
    await rm(folder, { recursive: true });
  });

  const listen = async (listener: RequestListener, name = 'runtime.sock') => {
    server = createServer(listener);
    await new Promise<void>((resolve) => server?.listen(join(folder, name), resolve));
  };
  const line = () => doctorLine('runtime', { ...embeddedServices(), RUNTIME: 'pooled', RUNTIME_DIR: folder });

  it('is ok when the runtime is ready', async () => {
    await listen((_request, response) => response.end());
    expect(await line()).toBe(`ok       runtime  The runtime in ${folder} is ready.`);
  });

  it('names a missing socket', async () => {
    expect(await line()).toBe(
      `fault    runtime  No runtime has its socket in ${folder} (ENOENT). Start a runtime with this RUNTIME_DIR, or ` +
        `correct it. If it does not start, read its log, and run its own check: ${OWN_CHECK}.`,
    );
  });

  it('names the socket of a runtime that has ended', async () => {
    await listen((_request, response) => response.end());
    // A socket is removed by the name at which it was opened.
    await rename(join(folder, 'runtime.sock'), join(folder, 'kept.sock'));
    await new Promise((resolve) => server?.close(resolve));
    server = undefined;
    await rename(join(folder, 'kept.sock'), join(folder, 'runtime.sock'));
    expect(await line()).toBe(
      `fault    runtime  The runtime in ${folder} has ended (ECONNREFUSED). Start it. If it does not start, read its log, ` +
        `and run its own check: ${OWN_CHECK}.`,
    );
  });

  it('names a socket that this user may not use', async () => {
    await listen((_request, response) => response.end());
    await chmod(folder, 0o711);
    await chmod(join(folder, 'runtime.sock'), 0o000);
    expect(await asUnprivileged(line)).toBe(
      `fault    runtime  This user may not connect to the socket in ${folder} (EACCES). Run both as one user, or as users ` +
        'of one group that may enter the folder.',
    );
  });

  it('names a runtime that is not ready', async () => {
    await listen((_request, response) => response.writeHead(503).end());
    expect(await line()).toBe(
      `fault    runtime  The runtime in ${folder} is not ready (503). Read its log: it is ready while PostgreSQL answers it.`,
    );
  });

  it('names a runtime that does not answer, and not PostgreSQL', async () => {
    await listen(() => undefined);
    expect(await line()).toBe(
      `fault    runtime  The runtime in ${folder} does not answer (timeout). Read its log, and restart it.`,
    );
  });
});
