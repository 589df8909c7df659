import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';
import { type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';

const fixtures = new EdgeFixtures(new InMemoryBlobStore());
const NAME = `alpn-${process.pid}.test`;
/** The identifier of the extension and its length, as in DER. */
const ACME_IDENTIFIER = Buffer.from('06082b0601050507011f0101ff', 'hex');
let fixture: EdgeFixture;

beforeAll(async () => {
  fixture = await fixtures.open(await fixtures.prepare(), { tls: true });
});

afterAll(() => fixtures.drop());

/** Connects as a certificate authority does. */
async function validate(servername: string): Promise<TLSSocket> {
  const socket = connect({
    host: '127.0.0.1',
    port: fixture.tlsPort,
    servername,
    ALPNProtocols: ['acme-tls/1'],
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  return socket;
}

describe('TLS-ALPN-01 challenges', () => {
  it('are answered with a certificate that contains the digest, while visitors see that of the domain', async () => {
    await fixture.openedAt(NAME);
    await fixture.certificates.challenge({ name: NAME, type: 'tls-alpn-01', value: 'token.thumbprint' });
    const socket = await validate(NAME.toUpperCase());
    const certificate = socket.getPeerX509Certificate() as X509Certificate;
    expect([socket.alpnProtocol, certificate.subjectAltName]).toEqual(['acme-tls/1', `DNS:${NAME}`]);
    const digest = createHash('sha256').update('token.thumbprint').digest();
    const extension = Buffer.concat([ACME_IDENTIFIER, Buffer.from('04220420', 'hex'), digest]);
    expect(certificate.raw.includes(extension)).toBe(true);
    await once(socket.resume(), 'close');
    expect(await fixture.secure(NAME)).toMatchObject({ status: 200, body: 'home' });
  });

  it('are refused without an answer that is still valid, and for answers of other types', async () => {
    await fixture.certificates.challenge({ name: `old.${NAME}`, type: 'tls-alpn-01', value: 'a.b' }, '-1 second');
    await fixture.certificates.challenge({ name: `http.${NAME}`, type: 'http-01', token: 'a', value: 'a.b' });
    for (const name of [`old.${NAME}`, `http.${NAME}`, `none.${NAME}`]) {
      await expect(validate(name)).rejects.toThrow(/alert handshake failure/);
    }
  });
});
