import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { composeOf, examplesOf, fitsSchema, textOf } from './compose-files.ts';

const BASE = 'docker-compose.yml';
const PUBLIC = 'docker-compose.public.yml';
const INSTALLATIONS = [
  { title: BASE, files: [BASE], examples: ['.env.example'] },
  { title: PUBLIC, files: [BASE, PUBLIC], examples: ['.env.example', '.env.public.example'] },
];

describe.each(INSTALLATIONS)('$title', ({ title, files, examples }) => {
  const values = examplesOf(...examples);
  const compose = composeOf(values, ...files);
  const text = textOf(title);

  it('is a valid Compose file', () => {
    expect([fitsSchema(compose), fitsSchema.errors]).toEqual([true, null]);
  });

  it('pins the version of every image', () => {
    for (const { image } of Object.values(compose.services)) {
      if (image !== undefined) expect(image).toMatch(/:v?\d[\w.-]*$/);
    }
  });

  it('requires exactly the variables of the examples and has no defaults for them', () => {
    const references = files.flatMap((file) => [...textOf(file).matchAll(/\$\{(\w+)(:\?)?/g)]);
    expect(references.filter(([, , isRequired]) => isRequired === undefined)).toEqual([]);
    expect([...new Set(references.map(([, name]) => name))].sort()).toEqual(Object.keys(values).sort());
  });

  it('contains no secrets', () => {
    const { services } = parse(text) as { services: Record<string, { environment?: Record<string, string> }> };
    const secrets = Object.values(services)
      .flatMap(({ environment = {} }) => Object.entries(environment))
      .filter(([name]) => /PASSWORD|SECRET|TOKEN|SESSION_KEYS|SECRETS_KEYS/.test(name));
    expect(secrets.length).toBeGreaterThan(1);
    for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:\?[^}]+\}$/);
  });
});

describe('the check of Compose files', () => {
  const text = textOf(BASE);

  it.each([
    ['an unknown key', 'read_only: true', 'readonly: true'],
    ['a wrong condition', 'condition: service_healthy', 'condition: healthy'],
    ['a time without a unit', 'stop_grace_period: 30s', 'stop_grace_period: "30"'],
    ['an invalid port', '127.0.0.1:3000:3000', 'localhost:http'],
  ])('rejects %s', (_, right, wrong) => {
    expect(text).toContain(right);
    expect(fitsSchema(parse(text.replace(right, wrong)))).toBe(false);
  });
});
