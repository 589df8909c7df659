import type { NameServerPlan } from '../name-server/index.ts';

/** Returns the key, ACL and zone sections of `knot.conf`; a spec compares them with docs/operations.md. */
export function zoneConfigurationOf({
  domain,
  zoneFile,
  key,
}: Omit<NameServerPlan, 'folder' | 'port' | 'programs'>): string {
  return `key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${key.secret}
acl:
  - id: ${key.name}
    key: ${key.name}
    action: [update, transfer]
    update-type: [CNAME]
  - id: ${key.name}-challenges
    key: ${key.name}
    action: update
    update-type: [TXT]
    update-owner: name
    update-owner-match: sub
    update-owner-name: [acme]
zone:
  - domain: ${domain}
    file: ${zoneFile}
    zonefile-sync: 1m
    acl: [${key.name}, ${key.name}-challenges]
`;
}

/** Returns a complete `knot.conf`, restricted to the folder and loopback. */
export function configurationOf(plan: NameServerPlan): string {
  return `server:
    rundir: ${plan.folder}
    listen: 127.0.0.1@${plan.port}
    udp-workers: 1
    tcp-workers: 2
    background-workers: 1
log:
  - target: stderr
    any: warning
database:
    storage: ${plan.folder}
template:
  - id: default
    storage: ${plan.folder}
${zoneConfigurationOf(plan)}`;
}
