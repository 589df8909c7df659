import { describe, expect, it } from '@jest/globals';
import { InvalidConfig } from '@homeport/platform/server/config';
import { loadConfig } from './config';

const REQUIRED = { DATABASE_URL: 'postgres://edge@db/homeport', S3_BUCKET: 'sites' };

function issuesOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof InvalidConfig) return error.issues;
    throw error;
  }
}

describe('loadConfig', () => {
  it('requires a database and a bucket and has defaults for the rest', () => {
    expect(loadConfig({ ...REQUIRED, LOG_LEVEL: '' })).toMatchObject({
      HOST: '127.0.0.1',
      EDGE_PORT: 8080,
      PLATFORM_DOMAIN: 'apps.localhost',
      LOG_LEVEL: 'info',
      SHUTDOWN_NOTICE_MS: 6_000,
      EDGE_CACHE_BYTES: 67_108_864,
      DATABASE_POOL_SIZE: 10,
    });
  });

  it('requires keys where it terminates TLS', () => {
    expect(issuesOf({ ...REQUIRED, EDGE_TLS_PORT: '8443' })).toEqual([
      'SECRETS_KEYS is required with EDGE_TLS_PORT, because it seals the keys of certificates',
    ]);
    const keys = `1:${Buffer.alloc(32, 7).toString('base64')}`;
    expect(loadConfig({ ...REQUIRED, EDGE_TLS_PORT: '8443', SECRETS_KEYS: keys })).toMatchObject({
      EDGE_TLS_PORT: 8443,
      SECRETS_KEYS: [{ id: '1' }],
    });
  });

  it('rejects ports that it could not open together', () => {
    const keys = `1:${Buffer.alloc(32, 7).toString('base64')}`;
    const tls = { ...REQUIRED, SECRETS_KEYS: keys, EDGE_TLS_PORT: '8443' };
    expect(issuesOf({ ...tls, EDGE_PORT: '8443', MANAGEMENT_PORT: '8443' })).toEqual([
      'EDGE_TLS_PORT is the same port as EDGE_PORT',
      'MANAGEMENT_PORT is the same port as EDGE_PORT',
    ]);
    expect(issuesOf({ ...tls, MANAGEMENT_PORT: '8443' })).toEqual([
      'MANAGEMENT_PORT is the same port as EDGE_TLS_PORT',
    ]);
  });

  it('reports all errors at once', () => {
    expect(
      issuesOf({ EDGE_PORT: '0', PLATFORM_DOMAIN: 'Apps.Example', EDGE_CACHE_BYTES: '1', S3_ACCESS_KEY_ID: 'a' }),
    ).toEqual([
      'DATABASE_URL is missing',
      'S3_BUCKET is missing',
      'EDGE_PORT is not between 1 and 65535',
      'PLATFORM_DOMAIN is not a host name in lower case, such as apps.example.com',
      'EDGE_CACHE_BYTES is not between 1048576 and 1099511627776',
      'S3_SECRET_ACCESS_KEY and S3_ACCESS_KEY_ID go together: set both or neither',
    ]);
    expect(issuesOf({ DATABASE_URL: REQUIRED.DATABASE_URL, EDGE_TLS_PORT: '8443' })).toEqual([
      'S3_BUCKET is missing',
      'SECRETS_KEYS is required with EDGE_TLS_PORT, because it seals the keys of certificates',
    ]);
  });
});
