import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { settingsOf } from './configuration.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');

describe('docs/operations.md', () => {
  it('shows the same settings of PgBouncer that the tests use', () => {
    const settings = settingsOf({
      host: '127.0.0.1',
      port: 5432,
      database: 'homeport',
      mode: 'session',
      usersFile: '/etc/pgbouncer/userlist.txt',
    });
    expect(page).toContain(`\`\`\`ini\n${settings}\`\`\`\n`);
  });
});
