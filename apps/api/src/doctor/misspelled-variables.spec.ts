import { describe, expect, it } from '@jest/globals';
import { ENVIRONMENT_NAMES } from '../config';
import { misspelledVariables } from './misspelled-variables';

/** Variables of the other programs, of the AWS SDK and of ordinary machines. */
const OTHERS = (
  'APP_HOME AWS_ACCESS_KEY_ID AWS_ACCOUNT_ID AWS_REGION AWS_SECRET_ACCESS_KEY CLIENT_ID DATA_DIR DNS_PORT ' +
  'EDGE_CACHE_BYTES EDGE_HOST EDGE_REQUEST_LOG HOME HOSTNAME HOMEPORT_API_SERVICE_PORT IDENTITY_PORT NODE_ENV NODE_EXTRA_CA_CERTS NODE_OPTIONS ' +
  'OTEL_EXPORTER_OTLP_HEADERS OTEL_SERVICE_NAME PATH POSTGRES_PORT PWD RUNTIME_DIR RUNTIME_DIRECTORY ' +
  'RUNTIME_MEMORY_BYTES RUNTIME_NODE RUNTIME_SANDBOX RUNTIME_TENANCY S3_PORT STATE_DIRECTORY TMPDIR USER'
).split(' ');

describe('misspelledVariables', () => {
  it.each([
    ['AUTH_CLIENT_SECERT', 'AUTH_CLIENT_SECRET'],
    ['AUTH_SCOPE', 'AUTH_SCOPES'],
    ['DATABASE_POOLSIZE', 'DATABASE_POOL_SIZE'],
    ['S3_ACCES_KEY_ID', 'S3_ACCESS_KEY_ID'],
  ])('names %s', (name, meant) => {
    expect(misspelledVariables({ [name]: 'x' }, ENVIRONMENT_NAMES)).toEqual([
      {
        name: 'configuration',
        status: 'warning',
        detail: `Homeport does not read ${name}.`,
        remedy: `Rename it to ${meant}, or remove it.`,
      },
    ]);
  });

  it('accepts every name that something else reads, empty ones, and those beside the right one', () => {
    const env = Object.fromEntries([...ENVIRONMENT_NAMES, ...OTHERS].map((name) => [name, 'x']));
    expect(misspelledVariables(env, ENVIRONMENT_NAMES)).toEqual([]);
    expect(misspelledVariables(Object.fromEntries(OTHERS.map((name) => [name, 'x'])), ENVIRONMENT_NAMES)).toEqual([]);
    expect(misspelledVariables({ AUTH_SCOPE: '' }, ENVIRONMENT_NAMES)).toEqual([]);
    expect(misspelledVariables({ AUTH_SCOPE: 'x', AUTH_SCOPES: 'openid' }, ENVIRONMENT_NAMES)).toEqual([]);
  });
});
