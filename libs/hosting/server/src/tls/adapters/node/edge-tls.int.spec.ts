import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SecretBox } from '@homeport/platform/server/secrets';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';
import { AUTHORITY, DOMAIN, type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';
import { TestAuthority } from '../../../testing/test-authority';

const fixtures = new EdgeFixtures(new InMemoryBlobStore());
let fixture: EdgeFixture;
let other: EdgeFixture;
let count = 0;
const freshName = () => `tls-${process.pid}-${count++}.test`;

beforeAll(async () => {
  const url = await fixtures.prepare();
  fixture = await fixtures.open(url, { tls: true });
  other = await fixtures.open(url, { tls: true });
});

afterAll(() => fixtures.drop());

/** Connects, or fails with the code of the refused handshake. */
async function handshake(servername: string, options: ConnectionOptions = {}, edge = fixture): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: edge.tlsPort, ca: AUTHORITY.root, servername, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

const refused = (servername: string, options?: ConnectionOptions) =>
  handshake(servername, options).then(
    (socket) => socket.destroy() && 'connected',
    ({ code }: NodeJS.ErrnoException) => code,
  );

const serialOf = async (servername: string, edge = fixture) => {
  const socket = await handshake(servername, {}, edge);
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
};

/** Repeats until a condition holds. The test's own time limit applies. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()));
}

/** Sends what is written to it in small pieces. */
class Trickle extends Duplex {
  constructor(private readonly inner: Socket) {
    super();
    inner.on('data', (chunk) => this.push(chunk)).once('end', () => this.push(null));
  }

  override _read(): void {
    this.inner.resume();
  }

  override _write(chunk: Buffer, _: unknown, done: () => void): void {
    if (chunk.length === 0) return done();
    this.inner.write(chunk.subarray(0, 100), () => this._write(chunk.subarray(100), _, done));
  }
}

const ALERT = 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE';

describe('TLS at the edge', () => {
  it('presents the whole chain of the domain and serves its app', async () => {
    const name = freshName();
    await fixture.openedAt(name);
    expect(await fixture.secure(name.toUpperCase(), '/', { servername: name })).toMatchObject({
      status: 200,
      body: 'home',
    });
    const socket = await handshake(name);
    const { issuerCertificate } = socket.getPeerCertificate(true);
    expect([socket.authorized, issuerCertificate.subject.CN]).toEqual([true, 'Test intermediate']);
    socket.destroy();
  });

  it('serves the platform domain with its wildcard certificate', async () => {
    const { host } = await fixture.opened({ 'index.html': 'platform' });
    const id = await fixture.certificates.add(AUTHORITY.issue([`*.${DOMAIN}`, DOMAIN]));
    await until(async () => (await refused(host)) === 'connected');
    expect((await fixture.secure(host)).body).toBe('platform');
    expect(await refused(`a.${host}`)).toBe(ALERT);
    await fixture.certificates.remove(id);
    await until(async () => (await refused(host)) === ALERT);
  });

  it('prefers the certificate of the exact name to the wildcard of a base domain', async () => {
    const base = freshName();
    const claimId = await fixture.sites.domain(base);
    const wildcard = await fixture.certificates.add(AUTHORITY.issue([`*.${base}`]), { claimId });
    const ofWildcard = await serialOf(`shop.${base}`);
    expect(await serialOf(`other.${base}`)).toBe(ofWildcard);
    expect(await refused(base)).toBe(ALERT);
    const exact = await fixture.certificates.add(AUTHORITY.issue([`shop.${base}`]), { claimId });
    await until(async () => (await serialOf(`shop.${base}`)) !== ofWildcard);
    await fixture.certificates.remove(exact);
    await until(async () => (await serialOf(`shop.${base}`)) === ofWildcard);
    await fixture.certificates.remove(wildcard);
    await until(async () => (await refused(`shop.${base}`)) === ALERT);
  });

  it('uses a renewed certificate at once, and a valid one before an expired one', async () => {
    const name = freshName();
    const { certificateId, claimId } = await fixture.openedAt(name);
    const first = await serialOf(name);
    await fixture.certificates.replace(certificateId, AUTHORITY.issue([name]));
    await until(async () => (await serialOf(name)) !== first);
    const renewed = await serialOf(name);
    await fixture.certificates.add(AUTHORITY.issue([name], -0.5), { claimId });
    await fixture.certificates.add(AUTHORITY.issue([name], 90), { claimId });
    await until(async () => (await serialOf(name)) !== renewed);
    expect((await fixture.secure(name)).status).toBe(200);
  });

  it.each(['unknown.test', 'localhost', 'a..b', '127.0.0.1.nip.test', `none.${DOMAIN}`])(
    'refuses a handshake for %s with an alert',
    async (name) => expect(await refused(name)).toBe(ALERT),
  );

  it('refuses a handshake without a host', async () => {
    const socket = connect({ host: '127.0.0.1', port: fixture.tlsPort, rejectUnauthorized: false });
    const [{ code }] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(code).toBe(ALERT);
  });

  it.each(['suspended_at = now()', 'released_at = now()', 'verified_at = null'])(
    'presents no certificate after %s',
    async (assignment) => {
      const name = freshName();
      const { claimId } = await fixture.openedAt(name);
      expect(await refused(name)).toBe('connected');
      await fixture.sites.changeDomain(claimId, assignment);
      await until(async () => (await refused(name)) === ALERT);
    },
  );

  it('refuses a host whose key cannot be opened or whose chain is damaged, and logs it', async () => {
    const name = freshName();
    const { claimId, certificateId } = await fixture.openedAt(name);
    await fixture.certificates.remove(certificateId);
    const foreign = new SecretBox([{ id: 'lost', key: Buffer.alloc(32, 1) }]);
    const sealed = await fixture.certificates.add(AUTHORITY.issue([name]), { claimId, keys: foreign });
    const before = fixture.errors.length;
    expect(await refused(name)).toBe(ALERT);
    expect(fixture.errors.length).toBe(before + 1);
    await fixture.certificates.remove(sealed);
    await fixture.certificates.add(
      { ...AUTHORITY.issue([name]), key: new TestAuthority().issue([name]).key },
      { claimId },
    );
    await until(async () => (await refused(name)) === ALERT && fixture.errors.length === before + 2);
  });

  it('offers TLS 1.3 and 1.2 with forward secrecy, and nothing older', async () => {
    const name = freshName();
    await fixture.openedAt(name);
    for (const version of ['TLSv1.3', 'TLSv1.2'] as const) {
      const socket = await handshake(name, { minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      expect(socket.getCipher().name).toMatch(/^(?:TLS|ECDHE)_?.*GCM/);
      socket.destroy();
    }
    const weak = { ciphers: 'DEFAULT@SECLEVEL=0', minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const;
    expect(await refused(name, weak)).toMatch(/PROTOCOL_VERSION/);
    for (const ciphers of ['AES128-GCM-SHA256', 'ECDHE-ECDSA-AES128-SHA', 'DHE-RSA-AES128-GCM-SHA256']) {
      expect(await refused(name, { ciphers, maxVersion: 'TLSv1.2' })).toMatch(/HANDSHAKE_FAILURE/);
    }
  });

  it.each([
    ['h2', ['h2', 'http/1.1']],
    ['h2', ['http/1.1', 'h2']],
    ['http/1.1', ['http/1.1', 'spdy/3']],
    [false, []],
  ])('negotiates %s with visitors that speak %j', async (expected, ALPNProtocols) => {
    const name = freshName();
    await fixture.openedAt(name);
    const socket = await handshake(name, { ALPNProtocols });
    expect(socket.alpnProtocol).toBe(expected);
    socket.destroy();
  });

  it('refuses visitors that speak no known protocol', async () => {
    const name = freshName();
    await fixture.openedAt(name);
    expect(await refused(name, { ALPNProtocols: ['spdy/3'] })).toMatch(/NO_APPLICATION_PROTOCOL/);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('resumes sessions of other edges with %s', async (version) => {
    const name = freshName();
    await fixture.openedAt(name);
    const options = { minVersion: version, maxVersion: version };
    const first = await handshake(name, options);
    first.write(`GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
    // With TLS 1.3, the ticket arrives after the handshake.
    await once(first, 'data');
    const session = first.getSession() as Buffer;
    const resumed = await handshake(name, { ...options, session }, other);
    expect([first.isSessionReused(), resumed.isSessionReused(), resumed.authorized]).toEqual([false, true, true]);
    first.destroy();
    resumed.destroy();
    expect(await other.secure(name)).toMatchObject({ status: 200 });
  });

  it('closes a connection that does not speak TLS', async () => {
    const socket = connectPlain(fixture.tlsPort as number, '127.0.0.1');
    socket.on('error', () => undefined).end('GET / HTTP/1.1\r\nHost: a.test\r\n\r\n');
    await once(socket.resume(), 'close');
  });

  it('understands a handshake that arrives byte by byte', async () => {
    const name = freshName();
    await fixture.openedAt(name);
    const upstream = connectPlain(fixture.tlsPort as number, '127.0.0.1').setNoDelay();
    const socket = connect({ socket: new Trickle(upstream), ca: AUTHORITY.root, servername: name });
    await once(socket, 'secureConnect');
    expect(socket.authorized).toBe(true);
    socket.destroy();
    upstream.destroy();
  });
});
