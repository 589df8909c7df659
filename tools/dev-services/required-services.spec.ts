import { describe, expect, it } from '@jest/globals';
import { requiredServices } from './services.ts';

describe('requiredServices', () => {
  it('returns all services when nothing is set or variables are empty', () => {
    expect(requiredServices({})).toEqual(['postgres', 's3', 'identity', 'dns']);
    expect(requiredServices({ DATABASE_URL: '', S3_BUCKET: '', DNS_PROVIDER: '' })).toHaveLength(4);
  });

  it.each([
    ['postgres', { DATABASE_URL: 'postgresql://db/homeport' }],
    ['s3', { S3_ENDPOINT: 'https://s3.example' }],
    ['s3', { S3_BUCKET: 'files' }],
    ['identity', { AUTH_ISSUER: 'https://id.example' }],
    ['dns', { DNS_PROVIDER: 'route53' }],
    ['dns', { DNS_PROVIDER: 'rfc2136' }],
    ['dns', { EMBEDDED_DNS_URL: 'http://127.0.0.1:5380' }],
    ['dns', { DNS_PROVIDER: 'embedded', EMBEDDED_DNS_URL: 'http://127.0.0.1:5380' }],
  ])('omits %s when it is configured', (name, env) => {
    expect(requiredServices(env)).toHaveLength(3);
    expect(requiredServices(env)).not.toContain(name);
  });

  it('returns the embedded DNS when it is selected by name', () => {
    expect(requiredServices({ DNS_PROVIDER: 'embedded' })).toContain('dns');
  });
});
