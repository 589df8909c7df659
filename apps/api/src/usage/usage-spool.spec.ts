import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { usageFolderOf, usageSpoolOf } from './usage-spool';

const DATABASE_URL = 'postgresql://homeport:first@db.example:5432/homeport';
const folderOf = (url: string) => usageFolderOf({ DATABASE_URL: url, USAGE_SPOOL_DIR: '/var/lib/usage' });

describe('the folder of usage', () => {
  it.each([
    ['password', 'postgresql://homeport:second@db.example:5432/homeport'],
    ['user', 'postgresql://homeport_b:first@db.example:5432/homeport'],
    ['scheme', 'postgres://homeport:first@db.example:5432/homeport'],
    ['default port', 'postgresql://homeport:first@db.example/homeport'],
    ['options', `${DATABASE_URL}?sslmode=verify-full&sslrootcert=/etc/homeport/database-ca.pem`],
  ])('stays when the %s in DATABASE_URL changes', (_, url) => {
    expect(folderOf(url)).toBe(folderOf(DATABASE_URL));
  });

  it.each([
    ['host', 'postgresql://homeport:first@other.example:5432/homeport'],
    ['port', 'postgresql://homeport:first@db.example:5433/homeport'],
    ['database', 'postgresql://homeport:first@db.example:5432/other'],
    ['socket', 'postgresql://homeport:first@db.example:5432/homeport?host=/run/postgresql'],
  ])('is another one for another %s', (_, url) => {
    expect(folderOf(url)).not.toBe(folderOf(DATABASE_URL));
  });

  it('moves the usage that an earlier version left', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'homeport-usage-earlier-'));
    try {
      const earlier = join(parent, hash('sha256', 'postgresql://db.example:5432/homeport').slice(0, 16));
      await mkdir(earlier, { mode: 0o700 });
      await writeFile(join(earlier, 'a-1.json'), '[]');
      const spool = usageSpoolOf({ DATABASE_URL, USAGE_SPOOL_DIR: parent });
      await spool.open();
      expect(await spool.names()).toEqual(['a-1']);
    } finally {
      await rm(parent, { recursive: true });
    }
  });
});
