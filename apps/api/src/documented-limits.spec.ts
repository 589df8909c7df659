import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { documentedDefaults } from '@homeport/platform/server/testing';
import { type Config, ENVIRONMENT_NAMES, loadConfig } from './config';

const LIMITS = readFileSync(resolve(import.meta.dirname, '../../../docs/limits.md'), 'utf8');
const MIB = 1_024 ** 2;

const config: Config = loadConfig({
  DATABASE_URL: 'postgresql://app:pass@db.example:5432/homeport',
  S3_BUCKET: 'files',
  AUTH_ISSUER: 'https://idp.example/realm',
  AUTH_AUDIENCE: 'homeport-api',
  SESSION_KEYS: Buffer.alloc(32).toString('base64'),
  EMBEDDED_DNS_URL: 'http://127.0.0.1:5380',
  EMBEDDED_DNS_TOKEN: 'dns-token',
});
const documented = documentedDefaults('What the API reads');
const numbers = Object.entries(config).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
const limits = ENVIRONMENT_NAMES.filter((name) => /_MAX_|^RATE_LIMIT_|_PER_/.test(name));

describe('the documented defaults of the API', () => {
  it.each(numbers)('has the default of %s, %i', (name, value) => {
    const [, number, mebibytes] = /^(\d+)(?: \((\d+) MiB\))?(?:$|;)/.exec(documented[name] ?? '') ?? [];
    expect(number).toBe(String(value));
    if (mebibytes !== undefined) expect(Number(mebibytes) * MIB).toBe(value);
  });

  it('have each limit that can be set, also in docs/limits.md', () => {
    expect(limits).toHaveLength(9);
    expect(limits.filter((name) => typeof config[name as keyof Config] !== 'number')).toEqual([]);
    expect(limits.filter((name) => !LIMITS.includes(`\`${name}\``))).toEqual([]);
  });
});
