import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestAuthority } from '../../../testing/test-authority';
import {
  type Certificate,
  CertificateChangeFeed,
  CertificateDirectory,
} from '../../application/certificate-directory.port';
import { TlsTermination } from './tls-termination';

const AUTHORITY = new TestAuthority();
const BASE = 'many.test';
/** More than are kept. */
const HOSTS = 2_100;
const { chain, key } = AUTHORITY.issue([`*.${BASE}`]);

/** A certificate for each host. */
class ManyCertificates extends CertificateDirectory {
  async findCertificate(hostname: string): Promise<Certificate> {
    return { version: hostname, chain, key, hsts: false };
  }

  async findKeyAuthorization(): Promise<undefined> {
    return undefined;
  }
}

class NoChanges extends CertificateChangeFeed {
  readonly isConnected = true;

  listen(): void {
    // Nothing changes here.
  }
}

describe('TLS for more hosts than contexts are kept', () => {
  const log = { error: (error: unknown) => void errors.push(error) };
  const errors: unknown[] = [];
  const termination = new TlsTermination({
    directory: new ManyCertificates(),
    changes: new NoChanges(),
    ticketSecret: Buffer.alloc(32, 1),
    log: log as never,
  });
  const server = termination.createServer({}, (request, response) => response.end(request.headers.host));
  const host = `first.${BASE}`;

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => {
    server.close();
  });

  const opened = async (session?: Buffer): Promise<TLSSocket> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ host: '127.0.0.1', port, servername: host, ca: AUTHORITY.root, session });
    await once(socket, 'secureConnect');
    return socket;
  };
  const answerOf = (socket: TLSSocket) => {
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return text(socket);
  };

  it('continues connections, resumes sessions and accepts new ones after it dropped the context of a host', async () => {
    const [before, other] = [await opened(), await opened()];
    const sessions = once(other, 'session');
    expect(await answerOf(other)).toContain(host);
    const [session] = (await sessions) as [Buffer];
    const context = await termination.certificates.findContext(host);
    for (let i = 0; i < HOSTS; i += 1) await termination.certificates.findContext(`host-${i}.${BASE}`);
    expect(await answerOf(before)).toContain(host);
    const resumed = await opened(session);
    expect(resumed.isSessionReused()).toBe(true);
    expect(await answerOf(resumed)).toContain(host);
    expect(await answerOf(await opened())).toContain(host);
    expect(await termination.certificates.findContext(host)).not.toBe(context);
    expect(errors).toEqual([]);
  });
});
