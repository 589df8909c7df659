import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { loadConfig, RUNTIME_ENVIRONMENT_NAMES } from './config';

const textOf = (path: string) => readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly cap_add: readonly string[];
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly stop_grace_period: string;
}

/** Pending requests finish within 25 s; then apps have 10 s to stop. */
const STOP_SECONDS = 35;

describe('the runtime in docker-compose.yml', () => {
  const { services } = parse(textOf('docker-compose.yml')) as { services: Record<'api' | 'edge' | 'runtime', Service> };
  const { api, edge, runtime } = services;

  it('receives no unknown variables and a valid configuration for production', () => {
    const { environment } = runtime;
    expect(Object.keys(environment).filter((name) => !RUNTIME_ENVIRONMENT_NAMES.includes(name))).toEqual([]);
    const filledIn = { DATABASE_URL: 'postgres://db/homeport', SECRETS_KEYS: `1:${'A'.repeat(43)}=` };
    const config = loadConfig({ ...environment, ...filledIn, NODE_ENV: 'production' });
    expect(config).toMatchObject({ RUNTIME_SANDBOX: 'bubblewrap', RUNTIME_TENANCY: 'trusted' });
  });

  it('shares database, storage and keys with the API, and its folder with the edge', () => {
    for (const name of ['DATABASE_URL', 'S3_BUCKET', 'S3_ENDPOINT', 'SECRETS_KEYS'])
      expect([name, runtime.environment[name]]).toEqual([name, api.environment[name]]);
    expect(api.environment['RUNTIME']).toBeUndefined();
    expect(edge.environment['RUNTIME_DIR']).toBe(runtime.environment['RUNTIME_DIR']);
    expect(edge.volumes).toContain(`runtime:${runtime.environment['RUNTIME_DIR']}`);
    expect(runtime.volumes).toContain(`runtime:${runtime.environment['RUNTIME_DIR']}`);
  });

  it('has the rights that bubblewrap needs in a container, and no more', () => {
    expect(runtime.cap_drop).toEqual(['ALL']);
    expect(runtime.cap_add).toEqual(['SETUID', 'SETGID', 'KILL', 'SYS_PTRACE']);
    const options = ['no-new-privileges:true', 'seccomp=unconfined', 'apparmor=unconfined', 'systempaths=unconfined'];
    expect(runtime.security_opt).toEqual(options);
    for (const other of [api, edge]) expect(other.security_opt).toEqual(['no-new-privileges:true']);
  });

  it('has time to stop its apps', () => {
    expect(Number.parseInt(runtime.stop_grace_period, 10)).toBeGreaterThan(STOP_SECONDS);
  });

  it('has an image with bubblewrap, in the group of the edge', () => {
    const [, stage = ''] = /^FROM server AS runtime\n([^]*?)^FROM /m.exec(textOf('Dockerfile')) ?? [];
    expect(stage).toContain('install -y --no-install-recommends bubblewrap tini');
    expect(stage).toContain('USER 0:1000');
    expect(stage).toContain('CMD ["node", "dist/api/apps/runtime/src/main.js"]');
  });
});
