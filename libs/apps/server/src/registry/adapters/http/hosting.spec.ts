import { expect, it } from '@jest/globals';
import { HostnamePolicy } from '../../../shared/domain/hostname-policy';
import { hostingOf } from './hosting';

const hostnames = (reserved: string[], cdnHostname = 'edge.example.net') =>
  new HostnamePolicy({ domain: 'apps.example.com', cdnHostname, edgePort: 8080, reserved });

const LIMITS = { archiveBytes: 1, unpackedBytes: 2, files: 3, fileBytes: 4 };
const OPTIONS = { quota: 7, appTypes: ['static'], deploys: { limits: LIMITS } } as const;

it('returns the domain, the CNAME target and the limits', () => {
  expect(hostingOf(hostnames([]), OPTIONS)).toEqual({
    domain: 'apps.example.com',
    cname_target: 'edge.example.net',
    reserved_subdomains: ['api', 'www', 'admin', 'app', 'dashboard'],
    apps_per_organization: 7,
    app_types: ['static'],
    deploy_limits: { archive_bytes: 1, unpacked_bytes: 2, files: 3, file_bytes: 4 },
  });
});

it('lists every reserved name once', () => {
  const { reserved_subdomains: reserved } = hostingOf(hostnames(['status', 'api'], 'edge.apps.example.com'), OPTIONS);
  expect(reserved).toEqual(['api', 'www', 'admin', 'app', 'dashboard', 'status', 'edge']);
});
