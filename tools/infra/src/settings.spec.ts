import { describe, expect, it } from '@jest/globals';
import { EXAMPLE } from '../testing/synthesis.ts';
import { parseSettings } from './settings.ts';

const parse = (changes: object) => parseSettings(JSON.stringify({ ...EXAMPLE, ...changes }));

describe('the settings of an installation on AWS', () => {
  it('accepts the example', () => {
    expect(parse({})).toMatchObject({ platformDomain: 'homeport-apps.example', size: 'small', runtime: 'lambda' });
  });

  it.each([
    ['account', { account: '12' }],
    ['region', { region: 'Frankfurt' }],
    ['platformDomain', { platformDomain: 'localhost' }],
    ['productHost', { productHost: 'console.homeport-apps.example' }],
    ['version', { version: 'latest of all' }],
    ['size', { size: 'huge' }],
    ['runtime', { runtime: 'pooled' }],
    ['databaseCaFile', { databaseCaFile: '' }],
    ['cloudFrontPrefixList', { cloudFrontPrefixList: 'pl-' }],
    ['alertEmail', { alertEmail: 'me' }],
    ['monthlyBudgetUsd', { monthlyBudgetUsd: 0 }],
    ['signIn.providers', { signIn: { domainPrefix: 'homeport', providers: [] } }],
    ['unknown', { unknown: 1 }],
  ])('rejects an invalid %s', (name, changes) => {
    expect(() => parse(changes)).toThrow(name);
  });

  it('rejects two providers with the same id', () => {
    const { signIn } = EXAMPLE as { signIn: { providers: { id: string }[] } };
    const providers = signIn.providers.map((provider) => ({ ...provider, id: 'globex' }));
    expect(() => parse({ signIn: { ...signIn, providers } })).toThrow('have the same id');
  });

  it('names all invalid settings at once', () => {
    expect(() => parse({ account: '', region: '' })).toThrow(/account[\s\S]*region/);
  });
});
