import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPrograms } from '../system-programs.ts';
import { SYSTEMD } from './programs.ts';
import { parseUnit } from './unit.ts';

const source = resolve(import.meta.dirname, '../../../deploy/systemd');
const names = readdirSync(source);
const textOf = (name: string) => readFileSync(join(source, name), 'utf8');
/** `npm test` reports missing programs; in CI that is a failure. */
const withSystemd = (await findPrograms(SYSTEMD)) ? it : it.skip;
/** Requests in progress get 25 s; processes end within 4 s after that. */
const DRAIN_SECONDS = 29;
const NOTICE_SECONDS = 6;
/**
 * In tenths of systemd's scale from 0 (safe) to 100. The runtime starts sandboxes: as root with four capabilities, and
 * with namespaces and mounts (docs/decisions/0082).
 */
const exposureLimitOf = (name: string) => (name === 'homeport-runtime.service' ? RUNTIME_EXPOSURE : EXPOSURE);
const EXPOSURE = 20;
const RUNTIME_EXPOSURE = 50;
const RUNTIME_CAPABILITIES = 'CAP_SETUID CAP_SETGID CAP_KILL CAP_SYS_PTRACE';

describe('the units in deploy/systemd', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'homeport-units-'));
    for (const name of names) {
      const [program, instance] = ['/opt/node/bin/node', name.replace('@.', '@1.')];
      writeFileSync(join(folder, instance), textOf(name).replaceAll(program, process.execPath));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const analyze = (args: readonly string[]) =>
    execFileSync('systemd-analyze', args, { cwd: folder, stdio: 'pipe', encoding: 'utf8' });

  withSystemd.each(names)('%s is valid for systemd', (name) => {
    expect(analyze(['verify', '--man=no', `./${name.replace('@.', '@1.')}`])).toBe('');
  });

  withSystemd.each(names)('%s leaves the program few rights', (name) => {
    const path = `./${name.replace('@.', '@1.')}`;
    const threshold = `--threshold=${exposureLimitOf(name)}`;
    expect(analyze(['security', '--offline=true', threshold, path])).toContain('OK');
  });

  withSystemd('would be refused with a relative program, and without limits', () => {
    const [name = ''] = names;
    writeFileSync(join(folder, 'bad@1.service'), textOf(name).replace('ExecStart=/opt', 'ExecStart=opt'));
    expect(() => analyze(['verify', '--man=no', './bad@1.service'])).toThrow();
    writeFileSync(join(folder, 'open@1.service'), `[Service]\nExecStart=${process.execPath}\n`);
    const limits = ['security', '--offline=true', `--threshold=${RUNTIME_EXPOSURE}`];
    expect(() => analyze([...limits, './open@1.service'])).toThrow();
  });

  it('let the runtime be root with four capabilities, and share its folder and group with the edges', () => {
    const [edge, runtime] = ['homeport-edge@.service', 'homeport-runtime.service'].map((name) =>
      parseUnit(textOf(name)),
    );
    expect([runtime?.get('User'), runtime?.get('CapabilityBoundingSet')]).toEqual([['root'], [RUNTIME_CAPABILITIES]]);
    expect(runtime?.get('Group')).toEqual(edge?.get('Group'));
    expect(runtime?.get('Environment')).toContain('RUNTIME_DIR=/var/cache/homeport');
    expect([runtime?.get('CacheDirectory'), runtime?.get('CacheDirectoryMode')]).toEqual([['homeport'], ['0711']]);
  });

  it('keep measured usage of a killed API outside of its private temporary folder', () => {
    const api = parseUnit(textOf('homeport-api@.service'));
    expect(api.get('Environment')).toContain('USAGE_SPOOL_DIR=/var/lib/homeport/usage');
    expect(api.get('StateDirectory')).toEqual(['homeport']);
  });

  it.each(names)('%s waits for requests and restarts without a limit; only the runtime is root', (name) => {
    const unit = parseUnit(textOf(name));
    expect(Number.parseInt(unit.get('TimeoutStopSec')?.[0] ?? '', 10)).toBeGreaterThanOrEqual(
      NOTICE_SECONDS + DRAIN_SECONDS,
    );
    const user = name === 'homeport-runtime.service' ? 'root' : 'homeport';
    expect([unit.get('Restart'), unit.get('User')]).toEqual([['always'], [user]]);
    expect(textOf(name)).toContain('StartLimitIntervalSec=0');
  });
});
