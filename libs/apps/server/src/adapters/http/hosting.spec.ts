import { expect, it } from '@jest/globals';
import { PlatformDomain } from '../../domain/platform-domain';
import { hostingOf } from './hosting';

const platform = (reserved: string[], cdnHostname = 'edge.example.net') =>
  new PlatformDomain({ domain: 'apps.example.com', cdnHostname, edgePort: 8080, reserved });

it('says where apps live and what their records name', () => {
  expect(hostingOf(platform([]), 7)).toEqual({
    domain: 'apps.example.com',
    cname_target: 'edge.example.net',
    reserved_subdomains: ['api', 'www', 'admin', 'app', 'dashboard'],
    apps_per_organization: 7,
  });
});

it('names everything that is reserved, and each once', () => {
  const { reserved_subdomains: reserved } = hostingOf(platform(['status', 'api'], 'edge.apps.example.com'), 7);
  expect(reserved).toEqual(['api', 'www', 'admin', 'app', 'dashboard', 'status', 'edge']);
});
