import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { zoneConfigurationOf as bindZone } from '../bind/configuration.ts';
import { zoneConfigurationOf as knotZone } from '../knot/configuration.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
const domain = 'apps.example.net';
const key = { name: 'homeport', secret: '<the secret>', algorithm: 'hmac-sha256' } as const;

describe('docs/operations.md', () => {
  it.each([
    ['BIND', bindZone, '/var/lib/bind'],
    ['Knot', knotZone, '/var/lib/knot'],
  ])('shows the same configuration of %s that the tests use', (_, zoneOf, folder) => {
    expect(page).toContain(`\`\`\`\n${zoneOf({ domain, zoneFile: `${folder}/${domain}.zone`, key })}\`\`\`\n`);
  });
});
