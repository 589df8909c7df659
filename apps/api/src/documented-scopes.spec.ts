import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ORGANIZATION_SCOPES, PERSONAL_SCOPES, UNUSED_SCOPES } from '@homeport/identity/contracts';
import { describe, expect, it } from '@jest/globals';
import { ROUTE_POLICIES } from './route-policies';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/api.md'), 'utf8');

/** The scopes that some call accepts. */
function acceptedScopes(): string[] {
  const policies = Object.values(ROUTE_POLICIES);
  return [...new Set(policies.flatMap((policy) => (typeof policy === 'string' ? [] : (policy.scopes ?? []))))];
}

describe('docs/api.md', () => {
  it('describes exactly the scopes that some call accepts, and names the others', () => {
    const described = [...page.matchAll(/^\| `([a-z]+:[a-z]+)` +\|/gm)].map(([, scope]) => scope);
    const others = /^No call accepts (.+?) yet\./m.exec(page)?.[1] ?? '';
    const unused = [...others.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope);
    const accepted: readonly string[] = acceptedScopes();
    expect(described.toSorted()).toEqual(accepted.toSorted());
    expect(unused).toEqual(UNUSED_SCOPES);
    const all = [...ORGANIZATION_SCOPES, ...PERSONAL_SCOPES];
    expect(all.filter((scope) => !accepted.includes(scope))).toEqual(UNUSED_SCOPES);
  });
});
