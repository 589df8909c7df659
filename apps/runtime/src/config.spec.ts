import { describe, expect, it } from '@jest/globals';
import { InvalidConfig } from '@homeport/platform/server/config';
import { loadConfig } from './config';

const REQUIRED = {
  DATABASE_URL: 'postgres://runtime@db/homeport',
  S3_BUCKET: 'sites',
  RUNTIME_DIR: '/var/lib/homeport',
};

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
  it('requires a database, a bucket and a folder and has defaults for the rest', () => {
    expect(loadConfig(REQUIRED)).toMatchObject({ RUNTIME_SANDBOX: 'bubblewrap', LOG_LEVEL: 'info' });
  });

  it('reports all errors at once', () => {
    expect(issuesOf({ RUNTIME_DIR: 'data', RUNTIME_SANDBOX: 'none', RUNTIME_MEMORY_BYTES: '1' })).toEqual([
      'DATABASE_URL is missing',
      'S3_BUCKET is missing',
      'RUNTIME_DIR is not an absolute path',
      'RUNTIME_SANDBOX is not one of bubblewrap, gvisor and bare',
      'RUNTIME_MEMORY_BYTES is not between 268435456 and 1099511627776',
    ]);
    expect(issuesOf({ ...REQUIRED, S3_BUCKET: '', NODE_ENV: 'production' })).toEqual([
      'S3_BUCKET is missing',
      expect.stringMatching(/^RUNTIME_TENANCY is missing/),
    ]);
    expect(issuesOf({ ...REQUIRED, RUNTIME_SANDBOX: 'none', RUNTIME_TENANCY: 'hostile' })).toEqual([
      'RUNTIME_SANDBOX is not one of bubblewrap, gvisor and bare',
    ]);
  });

  it('refuses to run in production without a tenancy or without isolation', () => {
    const production = { ...REQUIRED, NODE_ENV: 'production' };
    expect(issuesOf(production)).toEqual([expect.stringMatching(/^RUNTIME_TENANCY is missing/)]);
    expect(issuesOf({ ...production, RUNTIME_TENANCY: 'trusted' })).toEqual([]);
    expect(issuesOf({ ...production, RUNTIME_TENANCY: 'trusted', RUNTIME_SANDBOX: 'bare' })).toEqual([
      'RUNTIME_SANDBOX cannot be bare in production: it isolates nothing',
    ]);
  });

  it('refuses apps of people who do not trust each other on the kernel of the host', () => {
    const hostile = { ...REQUIRED, NODE_ENV: 'production', RUNTIME_TENANCY: 'hostile' };
    expect(issuesOf(hostile)).toEqual([
      'RUNTIME_TENANCY cannot be hostile with bubblewrap, which shares the kernel of the host: use gvisor, or RUNTIME=lambda',
    ]);
    expect(issuesOf({ ...hostile, RUNTIME_SANDBOX: 'gvisor' })).toEqual([]);
    expect(issuesOf({ ...hostile, RUNTIME: 'lambda', AWS_ACCOUNT_ID: '123456789012' })).toEqual([]);
  });

  it('requires the account of the role of functions on AWS Lambda', () => {
    expect(issuesOf({ ...REQUIRED, RUNTIME: 'lambda' })).toEqual([expect.stringMatching(/^AWS_ACCOUNT_ID is missing/)]);
    expect(issuesOf({ ...REQUIRED, RUNTIME: 'lambda', AWS_ACCOUNT_ID: 'homeport' })).toEqual([
      'AWS_ACCOUNT_ID is not an account id of 12 digits',
    ]);
    expect(issuesOf({ ...REQUIRED, RUNTIME: 'kubernetes' })).toEqual(['RUNTIME is not one of pooled and lambda']);
  });
});
