import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { allowWorkers } from './trusted-types';

interface Rules {
  createScriptURL(url: string): string;
}

const ORIGIN = 'https://homeport.example';
let policies: [string, Rules][];

beforeEach(() => {
  policies = [];
  Object.assign(globalThis, {
    trustedTypes: { createPolicy: (name: string, rules: Rules) => policies.push([name, rules]) },
    document: { baseURI: `${ORIGIN}/` },
    location: { origin: ORIGIN },
  });
  allowWorkers();
});

afterEach(() => {
  for (const name of ['trustedTypes', 'document', 'location']) Reflect.deleteProperty(globalThis, name);
});

describe('the default Trusted Types policy', () => {
  it.each(['/ngsw-worker.js', 'vendor/pdf.worker.min.mjs', `${ORIGIN}/ngsw-worker.js?x=1`])('allows %s', (url) => {
    expect(policies[0]?.[1].createScriptURL(url)).toBe(new URL(url, ORIGIN).href);
  });

  it.each([
    '/main.js',
    'https://evil.example/ngsw-worker.js',
    '//evil.example/ngsw-worker.js',
    'data:text/javascript,alert(1)',
    'blob:https://homeport.example/ngsw-worker.js',
    'javascript:alert(1)',
    '/sandbox/../x/ngsw-worker.js',
  ])('rejects %s', (url) => {
    expect(() => policies[0]?.[1].createScriptURL(url)).toThrow(TypeError);
  });

  it('is the only policy and accepts only script URLs', () => {
    expect(policies.map(([name, rules]) => [name, Object.keys(rules)])).toEqual([['default', ['createScriptURL']]]);
  });
});
