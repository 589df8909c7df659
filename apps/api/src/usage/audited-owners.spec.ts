import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '@homeport/files/server';
import { AuditedOwners } from './audited-owners';

describe('AuditedOwners', () => {
  it('finds the organization of the last action of a person', async () => {
    const issuer = 'https://id.example.com';
    const rootOf = (subject: string) => workspaceRoot({ issuer, subject });
    const owners = new AuditedOwners(async function* () {
      yield [{ issuer, subject: 'ben', organization: 'globex' }];
      yield [{ issuer, subject: 'ada', organization: 'northwind' }];
    });
    expect([...(await owners.ownersOf([rootOf('ada'), rootOf('cleo')]))]).toEqual([[rootOf('ada'), 'northwind']]);
  });
});
