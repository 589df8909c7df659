import { describe, expect, it } from '@jest/globals';
import type { ServerPlan } from '@homeport/hosting/contracts';
import { guestEnvironment, nodeArguments } from './guest-command';

const specOf = (plan: Partial<ServerPlan>, environment = {}) => ({
  instanceId: '00000000-0000-4000-8000-000000000001',
  appId: '00000000-0000-4000-8000-000000000002',
  appFolder: '/srv/bundle',
  plan: { framework: 'node', kind: 'script', entry: 'server.js', environment: {}, ...plan } as const,
  environment,
  limits: { memoryBytes: 256 * 1024 ** 2, cpus: 1, processes: 64, tmpBytes: 64 * 1024 ** 2 },
  onLine: () => undefined,
});
const PATHS = { app: '/app', guest: '/guest' };

describe('nodeArguments', () => {
  it('runs a script with its arguments, after the guest code and within three quarters of the memory', () => {
    const spec = specOf({ entry: 'node_modules/serve/bin.js', args: ['./build/server/index.js'] });
    expect(nodeArguments(spec, PATHS)).toEqual([
      '--max-old-space-size=192',
      '--import',
      '/guest/guest.mjs',
      '/app/node_modules/serve/bin.js',
      './build/server/index.js',
    ]);
  });

  it('serves the export of a handler', () => {
    const spec = specOf({ kind: 'handler', entry: 'server/server.mjs', exportName: 'reqHandler' });
    expect(nodeArguments(spec, PATHS).slice(3)).toEqual(['/guest/handler.mjs', '/app/server/server.mjs', 'reqHandler']);
  });
});

it('lets the app override neither the variables of its framework nor those of the sandbox', () => {
  const spec = specOf(
    { environment: { ORIGIN: 'framework' } },
    { ORIGIN: 'app', PORT: '1', HOME: '/root', KEY: 'app' },
  );
  expect(guestEnvironment(spec, { port: 3000, temporaryFolder: '/tmp' })).toEqual({
    NODE_ENV: 'production',
    KEY: 'app',
    ORIGIN: 'framework',
    PORT: '3000',
    HOST: '127.0.0.1',
    HOSTNAME: '127.0.0.1',
    HOME: '/tmp',
    TMPDIR: '/tmp',
  });
});
