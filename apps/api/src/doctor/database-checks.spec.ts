import { describe, expect, it } from '@jest/globals';
import { clockFinding, connectionsFinding, sessionsFinding, versionFinding } from './database-checks';

describe('the findings about the database', () => {
  it('rejects versions before 15', () => {
    expect(versionFinding({ version: 140_011, shown: '14.11' })).toEqual({
      status: 'fault',
      detail: 'PostgreSQL has the version 14.11.',
      remedy: 'Upgrade the server to PostgreSQL 15 or later.',
    });
    expect(versionFinding({ version: 150_000, shown: '15.0' }).status).toBe('ok');
  });

  it('warns of different clocks', () => {
    expect(clockFinding(5_000).status).toBe('ok');
    expect(clockFinding(-61_000)).toEqual({
      status: 'warning',
      detail: 'The clock of PostgreSQL is 61 s behind the clock of this machine.',
      remedy: 'Run NTP on both machines.',
    });
    expect(clockFinding(6_000)).toMatchObject({ detail: expect.stringContaining('6 s ahead of') });
  });

  it('warns when fewer connections are free than an instance opens', () => {
    expect(connectionsFinding({ most: 97, used: 90 }, 10)).toMatchObject({ status: 'warning' });
    expect(connectionsFinding({ most: 97, used: 87 }, 10)).toMatchObject({ status: 'ok' });
    expect(connectionsFinding({ most: 9, used: 0 }, 10)).toMatchObject({ status: 'fault' });
  });

  it('names a pooler that shares sessions', () => {
    expect(sessionsFinding(true)).toMatchObject({ status: 'fault', remedy: expect.stringContaining('pool_mode') });
  });
});
