import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPrograms, TESTSSL } from '@homeport/dev-services';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AUTHORITY, type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';

const run = promisify(execFile);
const isInstalled = (await findPrograms(TESTSSL)) !== undefined;
const NAME = `audit-${process.pid}.test`;

interface Finding {
  readonly id: string;
  readonly severity: string;
  readonly finding: string;
}

/** What programs of others see. */
(isInstalled ? describe : describe.skip)('TLS at the edge, seen by others', () => {
  const fixtures = new EdgeFixtures(new InMemoryBlobStore());
  let edge: EdgeFixture;
  let folder: string;
  let root: string;
  let address: string;

  beforeAll(async () => {
    edge = await fixtures.open(await fixtures.prepare(), { tls: true });
    await edge.openedAt(NAME);
    address = `${NAME}:${edge.tlsPort}`;
    folder = await mkdtemp(join(tmpdir(), 'homeport-tls-audit-'));
    root = join(folder, 'root.pem');
    await writeFile(root, AUTHORITY.root);
  });
  afterAll(async () => {
    await fixtures.drop();
    await rm(folder, { recursive: true });
  });

  it('has no finding of testssl.sh that lowers its grade', async () => {
    const report = join(folder, 'report.json');
    const at = ['--ip', '127.0.0.1', '--nodns', 'none', '--add-ca', root];
    const output = ['--warnings', 'off', '--color', '0', '--jsonfile', report];
    // Its exit code counts checks that it could not run. The report names them.
    await run('testssl', [...at, ...output, address], { cwd: folder }).catch(() => undefined);
    const findings = JSON.parse(await readFile(report, 'utf8')) as Finding[];
    const passed = findings.filter(({ severity }) => severity === 'OK').map(({ id }) => id);
    expect(passed).toEqual(expect.arrayContaining(['TLS1_3', 'cert_chain_of_trust', 'LUCKY13']));
    const known = [
      // Public authorities add an address of their lists of revoked certificates; that of the test has none.
      'cert_revocation',
      // The owner of a domain chooses it.
      'HSTS',
      // The first handshake of this check names no host, and such handshakes are refused.
      'secure_renego',
    ];
    const harmless = ['OK', 'INFO', 'DEBUG'];
    expect(findings.filter(({ id, severity }) => !harmless.includes(severity) && !known.includes(id))).toEqual([]);
  });

  it('shows the right chain to openssl', async () => {
    const trust = ['-CAfile', root, '-verify_return_error', '-verify_hostname', NAME];
    const connection = ['-connect', `127.0.0.1:${edge.tlsPort}`, '-servername', NAME];
    const { stdout } = await run('sh', ['-c', `echo | openssl s_client ${[...connection, ...trust].join(' ')}`]);
    expect(stdout).toContain('Verify return code: 0 (ok)');
    expect(stdout).toMatch(/0 s:.*\n\s+i:CN = Test intermediate[^]*1 s:CN = Test intermediate\n\s+i:CN = Test root/);
  });

  it('serves the app to curl, which trusts the root', async () => {
    const args = ['--silent', '--show-error', '--cacert', root, '--resolve', `${address}:127.0.0.1`];
    expect((await run('curl', [...args, `https://${address}/`])).stdout).toBe('home');
  });
});
