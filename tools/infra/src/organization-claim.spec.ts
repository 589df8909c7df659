import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';

const source = readFileSync(join(import.meta.dirname, 'organization-claim.cjs'), 'utf8');
const ORGANIZATIONS = { northwind: { id: 'northwind', name: 'Northwind' }, globex: { claim: 'tenant' } };

interface Claims {
  readonly response: {
    readonly claimsAndScopeOverrideDetails?: {
      readonly idTokenGeneration: { readonly claimsToAddOrOverride: unknown };
      readonly accessTokenGeneration: { readonly claimsToAddOrOverride: unknown };
    };
  };
}

/** Runs the function as Lambda does: a CommonJS module with its environment. */
async function claimsOf(userAttributes: Readonly<Record<string, string>>) {
  const exports: { handler?: (event: unknown) => Promise<Claims> } = {};
  runInNewContext(source, { exports, process: { env: { ORGANIZATIONS: JSON.stringify(ORGANIZATIONS) } } });
  const event = { version: '2', request: { userAttributes }, response: {} };
  const answer = await exports.handler?.(event);
  const details = answer?.response.claimsAndScopeOverrideDetails;
  return JSON.parse(
    JSON.stringify([
      details?.idTokenGeneration.claimsToAddOrOverride ?? null,
      details?.accessTokenGeneration.claimsToAddOrOverride ?? null,
    ]),
  ) as unknown;
}

const signedInBy = (...names: string[]) =>
  JSON.stringify(names.map((providerName) => ({ providerName, userId: '42', primary: 'true' })));

describe('the function that adds the organization', () => {
  it('fits into a template', () => {
    expect(source.length).toBeLessThan(4_096);
  });

  it('adds the organization of the provider to both tokens', async () => {
    expect(await claimsOf({ sub: '1', identities: signedInBy('northwind') })).toEqual([
      { org_id: 'northwind', org_name: 'Northwind' },
      { org_id: 'northwind' },
    ]);
  });

  it('adds the organization that a provider names, with the id of the provider as prefix', async () => {
    const attributes = { identities: signedInBy('globex'), 'custom:organization': 'northwind' };
    expect(await claimsOf(attributes)).toEqual([
      { org_id: 'globex:northwind', org_name: 'northwind' },
      { org_id: 'globex:northwind' },
    ]);
  });

  it('ignores what the person says about a provider with one organization', async () => {
    const attributes = { identities: signedInBy('northwind'), 'custom:organization': 'globex:acme' };
    expect(await claimsOf(attributes)).toMatchObject([{ org_id: 'northwind' }, { org_id: 'northwind' }]);
  });

  it.each([
    ['a person of the pool itself', {}],
    ['an unknown provider', { identities: signedInBy('initech') }],
    ['a property of every object', { identities: signedInBy('constructor') }],
    ['an account linked to two providers', { identities: signedInBy('northwind', 'globex') }],
    ['a provider that names no organization', { identities: signedInBy('globex') }],
    ['a provider that names an empty organization', { identities: signedInBy('globex'), 'custom:organization': ' ' }],
  ])('adds nothing for %s', async (_, attributes) => {
    expect(await claimsOf({ 'custom:organization': '', ...attributes })).toEqual([null, null]);
  });
});
