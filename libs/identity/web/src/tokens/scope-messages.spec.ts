import '@angular/localize/init';
import { ORGANIZATION_SCOPES, PERSONAL_SCOPES } from '@homeport/identity/contracts';
import { describe, expect, it } from '@jest/globals';
import { offeredScopes, scopeSummary } from './scope-messages';

describe('offeredScopes', () => {
  it('offers each permission that some call accepts', () => {
    const offered = (kind: 'organization' | 'personal') => offeredScopes(kind).map(({ scope }) => scope);
    expect(offered('organization').toSorted()).toEqual(ORGANIZATION_SCOPES.toSorted());
    expect(offered('personal')).toEqual(PERSONAL_SCOPES);
  });

  it('describes each of them in words', () => {
    expect(scopeSummary('organization', ['logs:read', 'usage:read'])).toBe(
      'Read logs and the state of servers · Read usage and charges',
    );
  });
});
