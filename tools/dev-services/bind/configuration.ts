import type { NameServerPlan } from '../name-server/index.ts';

/** Returns the key and zone sections of `named.conf`. */
export type ZoneConfiguration = (plan: Omit<NameServerPlan, 'folder' | 'port' | 'programs'>) => string;

/** Returns the key and zone sections of `named.conf`; a spec compares them with docs/operations.md. */
export function zoneConfigurationOf({
  domain,
  zoneFile,
  key,
}: Omit<NameServerPlan, 'folder' | 'port' | 'programs'>): string {
  return `key "${key.name}" {
  algorithm ${key.algorithm};
  secret "${key.secret}";
};
zone "${domain}" {
  type primary;
  file "${zoneFile}";
  update-policy {
    grant ${key.name} zonesub CNAME;
    grant ${key.name} subdomain acme.${domain}. TXT;
  };
  allow-transfer { key "${key.name}"; };
};
`;
}

/** Returns a complete `named.conf`, restricted to the folder and loopback. */
export function configurationOf(plan: NameServerPlan, zones: ZoneConfiguration = zoneConfigurationOf): string {
  return `options {
  directory "${plan.folder}";
  pid-file none;
  session-keyfile none;
  lock-file none;
  listen-on port ${plan.port} { 127.0.0.1; };
  listen-on-v6 { none; };
  recursion no;
  notify no;
  dnssec-validation no;
  empty-zones-enable no;
};
controls { };
${zones(plan)}`;
}
