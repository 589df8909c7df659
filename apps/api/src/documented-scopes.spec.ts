import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ORGANIZATION_SCOPES, PERSONAL_SCOPES } from '@homeport/identity/contracts';
import { describe, expect, it } from '@jest/globals';
import { ROUTE_POLICIES } from './route-policies';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/api.md'), 'utf8');

/** The scopes that some call accepts. */
function acceptedScopes(): string[] {
  const policies = Object.values(ROUTE_POLICIES);
  return [...new Set(policies.flatMap((policy) => (typeof policy === 'string' ? [] : (policy.scopes ?? []))))];
}

describe('docs/api.md', () => {
  it('describes exactly the scopes, each of which some call accepts', () => {
    const described = [...page.matchAll(/^\| `([a-z]+:[a-z]+)` +\|/gm)].map(([, scope]) => scope);
    const accepted: readonly string[] = acceptedScopes();
    expect(described.toSorted()).toEqual(accepted.toSorted());
    expect(accepted.toSorted()).toEqual([...ORGANIZATION_SCOPES, ...PERSONAL_SCOPES].toSorted());
  });
});
