import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/backup.md'), 'utf8');
const [, commands = ''] = /^```bash\n(setting\(\)[^]*?)^```$/m.exec(page) ?? [];

/** Runs the commands of the page with a file of settings. @returns what the programs of PostgreSQL get. */
function addressAndPassword(DATABASE_URL: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-backup-'));
  try {
    const file = join(folder, 'common.env');
    writeFileSync(file, `PLATFORM_DOMAIN=apps.example.net\nDATABASE_URL=${DATABASE_URL}\nS3_BUCKET=homeport\n`);
    const script = `${commands.replaceAll('/etc/homeport/common.env', file)}\nprintf '%s\\n' "$DATABASE_URL" "$PGPASSWORD"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the commands of the backup', () => {
  it.each([
    ['postgres://homeport:secret@db:5432/homeport', 'postgres://homeport@db:5432/homeport', 'secret'],
    [
      'postgresql://a:p%40s%2Fw%25%3A@[::1]/homeport?sslmode=require',
      'postgresql://a@[::1]/homeport?sslmode=require',
      'p@s/w%:',
    ],
  ])('keep the password in %s from the arguments of programs', (url, address, password) => {
    expect(addressAndPassword(url)).toEqual([address, password]);
  });

  it('leave an address without a password as it is', () => {
    expect(addressAndPassword('postgres://homeport@db:5432/homeport')).toEqual([
      'postgres://homeport@db:5432/homeport',
    ]);
  });

  it('give programs no other address of the database', () => {
    const uses = page.match(/^.*\b(?:pg_dump|pg_restore|psql) .*DATABASE_URL.*$/gm) ?? [];
    expect(uses).toHaveLength(2);
    expect(page.indexOf(uses[0] ?? '')).toBeGreaterThan(page.indexOf(commands));
  });
});
