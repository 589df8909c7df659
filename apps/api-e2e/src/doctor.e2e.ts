import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { settings, signIn } from './homeport';

const MAIN = resolve(import.meta.dirname, '../../../dist/api/apps/api/src/main.js');
/** A port below those that the processes of tests use. */
const REFUSING = '127.0.0.1:1';
const WRONG = 'a-secret-that-is-wrong';

interface Document {
  readonly checks: readonly { readonly name: string; readonly status: string; readonly remedy?: string }[];
}

/** Runs the command with the settings of the running product. */
async function doctor(changes: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const env = { ...settings, ...changes };
  const child = spawn(process.execPath, [MAIN, 'doctor', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((done) => child.once('close', done));
  const [code, output, errors] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { code, output, errors, lines: output.trimEnd().split('\n') };
}

describe('the doctor of a configuration', () => {
  beforeAll(async () => {
    // A session that the keys have to open.
    await signIn('ada');
  });

  it('finds no fault in the running product, and prints no secret', async () => {
    const { code, output, errors } = await doctor({}, ['--json']);
    const { checks } = JSON.parse(output) as Document;
    expect([checks.filter(({ status }) => status === 'fault'), code, errors]).toEqual([[], 0, '']);
    const names = checks.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['configuration', 'database', 'secrets-keys', 'identity-client']));
    const secrets = Object.entries(settings).filter(([name]) => /SECRET|_KEYS|TOKEN/.test(name));
    expect(secrets.filter(([, value]) => value !== '' && output.includes(value))).toEqual([]);
  });

  it('completes without a stack when the reader of its output stops early', async () => {
    const child = spawn(process.execPath, [MAIN, 'doctor'], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([code, errors]).toEqual([0, '']);
  });

  it('ends with the code of an interrupted command', async () => {
    const child = spawn(process.execPath, [MAIN, 'doctor'], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.once('data', () => child.kill('SIGINT'));
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([code, errors]).toEqual([130, '']);
  });

  it('names all faults in one run with their remedies, and skips what depends on them', async () => {
    const S3_ENDPOINT = `http://${REFUSING}`;
    const { code, lines, output } = await doctor({ AUTH_CLIENT_SECRET: WRONG, S3_ENDPOINT, SESSION_KEYS: key(1) });
    expect(code).toBe(1);
    expect(lines.filter((line) => !/^(ok|warning) /.test(line))).toEqual([
      expect.stringMatching(/^fault {4}session-keys .* Add the key that sealed them to the end of SESSION_KEYS\./),
      expect.stringMatching(
        /^fault {4}storage .* refuses connections \(ECONNREFUSED\)\. Correct S3_ENDPOINT, or start/,
      ),
      expect.stringMatching(/^skipped {2}storage-access +It needs storage\.$/),
      expect.stringMatching(/^skipped {2}storage-uploads +It needs storage\.$/),
      expect.stringMatching(/^skipped {2}storage-conditions +It needs storage-access\.$/),
      expect.stringMatching(
        /^fault {4}identity-client .* \(invalid_client\)\. Correct AUTH_CLIENT_ID and AUTH_CLIENT_S/,
      ),
      expect.stringMatching(/^3 faults, (\d+ warnings?, )?3 skipped\.$/),
    ]);
    expect(output).not.toContain(WRONG);
    expect(output).not.toContain(key(1));
  });

  it('names the variables of Route 53 and of a certificate authority that refuse connections', async () => {
    const { lines } = await doctor({
      DNS_PROVIDER: 'route53',
      ROUTE53_HOSTED_ZONE_ID: 'Z1',
      ROUTE53_ENDPOINT: `http://${REFUSING}`,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      CERTIFICATES: 'acme',
      ACME_DIRECTORY: `http://${REFUSING}/directory`,
    });
    const text = 'or start the service, and let this machine reach it through firewalls.';
    expect(lines.filter((line) => line.startsWith('fault '))).toEqual([
      `fault    dns                   Route 53 refuses connections (ECONNREFUSED). Correct ROUTE53_ENDPOINT, ${text}`,
      `fault    acme-directory        The certificate authority at ${REFUSING} refuses connections (ECONNREFUSED). Correct ` +
        `ACME_DIRECTORY, ${text}`,
    ]);
  });

  it('names a parent of the default folder for usage with which the API does not start', async () => {
    const TMPDIR = await mkdtemp(join(settings['TMPDIR'] ?? tmpdir(), 'homeport-doctor-'));
    const parent = join(TMPDIR, 'homeport-usage');
    try {
      await mkdir(parent);
      await chmod(parent, 0o755);
      const { lines } = await doctor({ TMPDIR, USAGE_SPOOL_DIR: '' });
      expect(lines.filter((line) => line.startsWith('fault '))).toEqual([
        expect.stringContaining(`usage-folder          The folder for usage ${parent} must be a folder of the user`),
      ]);
    } finally {
      await rm(TMPDIR, { recursive: true });
    }
  });

  it('names all invalid variables before it examines a service', async () => {
    const { code, lines } = await doctor({ S3_BUCKET: '', SESSION_KEYS: 'short' });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^fault {4}configuration +S3_BUCKET is missing\. Set S3_BUCKET as docs\/operations\.md /),
      expect.stringMatching(/^fault {4}configuration +SESSION_KEYS is not a list of base64 keys .* Set SESSION_KEYS /),
      '2 faults.',
    ]);
  });
});

function key(fill: number): string {
  return Buffer.alloc(32, fill).toString('base64');
}
