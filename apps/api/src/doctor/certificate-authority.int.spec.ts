import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { embeddedServices, UNTRUSTED_CERTIFICATE } from '@homeport/platform/server/testing';
import { caFileFinding } from './certificate-checks';
import { BlackHole, closedPort, doctorLine, type Settings } from './testing/doctor-lines';

const REACH = 'or start the service, and let this machine reach it through firewalls.';

describe('the doctor of a certificate authority', () => {
  let hole: BlackHole;
  const servers: Server[] = [];
  beforeAll(async () => {
    hole = await BlackHole.open();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
  afterAll(() => hole.close());

  const open = async (server: Server): Promise<string> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const answering = (status: number, type: string, body: string) =>
    open(createHttpServer((_request, response) => response.writeHead(status, { 'content-type': type }).end(body)));
  const overTls = (listener: RequestListener) => open(createTlsServer(UNTRUSTED_CERTIFICATE, listener));
  const line = (ACME_DIRECTORY: string, changes: Settings = {}) =>
    doctorLine('acme-directory', { ...embeddedServices(), CERTIFICATES: 'acme', ACME_DIRECTORY, ...changes });
  const fault = (host: string, text: string) => `fault    acme-directory  The certificate authority at ${host} ${text}`;

  it('names an address without a server', async () => {
    const host = `127.0.0.1:${await closedPort()}`;
    expect(await line(`http://${host}/dir`)).toBe(
      fault(host, `refuses connections (ECONNREFUSED). Correct ACME_DIRECTORY, ${REACH}`),
    );
  });

  it('names a host name that does not exist', async () => {
    expect(await line('https://missing.invalid/dir')).toMatch(
      /^fault {4}acme-directory {2}The certificate authority at missing\.invalid has a host name that .*\. Correct ACME_DIRECTORY, or /,
    );
  });

  it('names silence', async () => {
    const host = `127.0.0.1:${hole.port}`;
    expect(await line(`http://${host}/dir`)).toBe(
      fault(host, `does not answer (timeout). Correct ACME_DIRECTORY, ${REACH}`),
    );
  });

  it.each<[string, Parameters<typeof answering>, string]>([
    ['another path', [404, 'text/html', '<h1>Not found</h1>'], 'HTTP_404'],
    ['another page', [200, 'text/html', '<h1>Welcome</h1>'], 'NO_DIRECTORY'],
    ['another document', [200, 'application/json', '{"issuer":"http://localhost"}'], 'NO_DIRECTORY'],
    ['a truncated document', [200, 'application/json', '{"newNonce":'], 'NO_DIRECTORY'],
  ])('names %s', async (_, answer, code) => {
    const host = await answering(...answer);
    expect(await line(`http://${host}/dir`)).toBe(
      fault(host, `has no ACME directory at http://${host}/dir (${code}). Correct ACME_DIRECTORY.`),
    );
  });

  it('names an outage of the authority', async () => {
    const host = await answering(503, 'text/plain', 'Later');
    expect(await line(`http://${host}/dir`)).toBe(
      fault(host, 'is unavailable (HTTP_503). Run the command again, and read its status page.'),
    );
  });

  it('names an authority that is not trusted', async () => {
    const host = await overTls((_request, response) => response.end());
    expect(await line(`https://${host}/dir`)).toMatch(
      /^fault .* has a certificate that is not trusted \(\w+\)\. Set ACME_CA_FILE to the root certificate of the authority\.$/,
    );
  });

  it('names the wrong protocol', async () => {
    const host = await answering(200, 'text/html', '');
    expect(await line(`https://${host}/dir`)).toMatch(
      /^fault .* does not speak TLS, or not a version that is accepted \(\w+\)\. Correct the protocol and port in ACME_D/,
    );
  });

  it('names a file of roots that is missing', async () => {
    const settings = { ...embeddedServices(), CERTIFICATES: 'acme', ACME_DIRECTORY: 'https://localhost/dir' };
    expect(await doctorLine('acme-ca-file', { ...settings, ACME_CA_FILE: '/missing.pem' })).toBe(
      'fault    acme-ca-file  This user cannot read the file /missing.pem (ENOENT). Set ACME_CA_FILE to the file of the ' +
        'root certificate, and let the user of the API read it.',
    );
    expect(await line('https://localhost/dir', { ACME_CA_FILE: '/missing.pem' })).toBe(
      'skipped  acme-directory  It needs acme-ca-file.',
    );
  });

  it.each<[string, string, RegExp]>([
    ['is another text', 'no certificate', /^fault .* has no certificate in PEM\. Set ACME_CA_FILE to the root /],
    [
      'is damaged',
      '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      /^fault .* is damaged\. Set ACME_/,
    ],
    ['is right', String(UNTRUSTED_CERTIFICATE.cert), /^ok .* that are trusted for the authority: 2\.$/],
  ])('says that a file of roots %s', async (_, content, expected) => {
    const folder = await mkdtemp(join(tmpdir(), 'homeport-roots-'));
    try {
      const ACME_CA_FILE = join(folder, 'roots.pem');
      await writeFile(ACME_CA_FILE, content);
      const settings = { CERTIFICATES: 'acme', ACME_DIRECTORY: 'https://localhost/dir', ACME_CA_FILE };
      expect(await doctorLine('acme-ca-file', { ...embeddedServices(), ...settings })).toMatch(expected);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('names a root that has expired', () => {
    const { status, detail } = caFileFinding('roots.pem', String(UNTRUSTED_CERTIFICATE.cert), Date.UTC(2200, 0));
    expect([status, detail]).toEqual([
      'fault',
      expect.stringMatching(/^A certificate in roots\.pem ended at .* 2126 GMT\.$/),
    ]);
  });

  it('warns of an expired root beside one that is valid', () => {
    const roots = rootCertificates.map((pem) => new X509Certificate(pem));
    const sorted = roots.toSorted((one, other) => one.validToDate.getTime() - other.validToDate.getTime());
    const [expired, valid] = [sorted.at(0), sorted.at(-1)] as [X509Certificate, X509Certificate];
    const { status, detail } = caFileFinding('roots.pem', `${expired}${valid}`, expired.validToDate.getTime() + 1);
    expect([status, detail]).toEqual(['warning', `A certificate in roots.pem ended at ${expired.validTo}.`]);
  });

  it('names a missing account at the authority', async () => {
    const url = 'http://localhost/new';
    const meta = { externalAccountRequired: true };
    const body = JSON.stringify({ newNonce: url, newAccount: url, newOrder: url, meta });
    const host = await answering(200, 'application/json', body);
    expect(await line(`http://${host}/dir`)).toBe(
      `fault    acme-directory  The authority at http://${host}/dir accepts only accounts that are bound to one of its ` +
        'customers. Set ACME_EAB_KEY_ID and ACME_EAB_KEY to the values that it gave you.',
    );
  });
});
