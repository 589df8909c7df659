import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { haproxyBackendOf, haproxyTlsBackendOf } from './haproxy.ts';
import { NGINX_LOCATION, nginxUpstreamOf } from './nginx.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
const instances = ['10.0.0.1:3000', '10.0.0.2:3000'];

describe('docs/operations.md', () => {
  it.each([
    ['HAProxy', haproxyBackendOf(instances, '5s')],
    ['HAProxy in front of TLS', haproxyTlsBackendOf(['10.0.0.1:8443', '10.0.0.2:8443'], [8080, 8080], '5s')],
    ['the upstream of nginx', nginxUpstreamOf(instances, { failures: 'max_fails=0', keepAlive: true })],
    ['the location of nginx', NGINX_LOCATION],
  ])('shows the same configuration of %s that the tests use', (_, configuration) => {
    expect(page).toContain(`\`\`\`\n${configuration}\`\`\`\n`);
  });
});
