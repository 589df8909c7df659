import { describe, expect, it } from '@jest/globals';
import { startupBanner } from './startup-banner.ts';
import { adviceForBroken, browserCandidates, ensureBrowser } from './browser.ts';
import { countJest, describeJestFailures, judgeSuite, total } from './test-counts.ts';
import { portsInUseMessage, readSettings, requiredPorts } from './settings.ts';

describe('settings', () => {
  it('have the documented defaults', () => {
    expect(readSettings({}, '/srv/homeport')).toMatchObject({
      port: 3000,
      edgePort: 8080,
      tlsPort: 8443,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      dataDir: '/srv/homeport/.data',
      ports: { dns: 5353, identity: 4400, postgres: 0, s3: 0 },
    });
  });

  it('name the invalid variable', () => {
    for (const value of ['http', '70000', '-1', '3.5']) {
      expect(() => readSettings({ IDENTITY_PORT: value }, '/')).toThrow(/IDENTITY_PORT/);
    }
  });

  it('require only the ports of the services that are started', () => {
    const variables = (env: Record<string, string>): string[] =>
      requiredPorts(readSettings(env, '/')).map(({ variable }) => variable);
    expect(variables({})).toEqual(['PORT', 'EDGE_PORT', 'DNS_PORT', 'IDENTITY_PORT']);
    expect(variables({ AUTH_ISSUER: 'https://id.example', DNS_PROVIDER: 'route53' })).toEqual(['PORT', 'EDGE_PORT']);
    expect(variables({ S3_PORT: '9000' })).toContain('S3_PORT');
    expect(variables({ EDGE_TLS_PORT: '9443' })).toContain('EDGE_TLS_PORT');
    expect(variables({ EDGE_TLS_PORT: '9443', CERTIFICATES: 'off' })).not.toContain('EDGE_TLS_PORT');
  });

  it('explain how to change a port in use', () => {
    const message = portsInUseMessage(requiredPorts(readSettings({}, '/')).slice(0, 2));
    expect(message).toMatch(/Port 3000 .* set PORT/);
    expect(message).toContain('PORT=3001 EDGE_PORT=8081 npm start');
  });
});

describe('test counts', () => {
  const jest = { numPassedTests: 5, numFailedTests: 1, numRuntimeErrorTestSuites: 2 };

  it('count a suite that failed before its first test as a failure', () => {
    expect(countJest(jest)).toEqual({ passed: 5, failed: 3 });
  });

  it('fail a suite that ran nothing, left no report or exited with an error', () => {
    expect(judgeSuite(true, { passed: 0, failed: 0 })).toEqual({ passed: 0, failed: 1 });
    expect(judgeSuite(true, undefined)).toEqual({ passed: 0, failed: 1 });
    expect(judgeSuite(false, { passed: 4, failed: 0 })).toEqual({ passed: 4, failed: 1 });
    expect(judgeSuite(false, { passed: 4, failed: 2 })).toEqual({ passed: 4, failed: 2 });
    expect(judgeSuite(true, { passed: 4, failed: 0 })).toEqual({ passed: 4, failed: 0 });
  });

  it('sum up', () => {
    expect(
      total([
        { passed: 1, failed: 0 },
        { passed: 2, failed: 3 },
      ]),
    ).toEqual({ passed: 3, failed: 3, failures: [] });
  });

  it('name each failed test with its message, and files that failed before their first test', () => {
    const test = (fullName: string, status: string, failureMessages: string[]) => ({
      fullName,
      status,
      failureMessages,
    });
    const testResults = [
      {
        name: 'a.spec.ts',
        status: 'failed',
        assertionResults: [
          test('adds', 'failed', ['\u001b[31mexpected 2\u001b[39m\n\nat a.spec.ts:1']),
          test('works', 'passed', []),
        ],
      },
      { name: 'b.spec.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
      { name: 'c.spec.ts', status: 'passed', assertionResults: [test('works', 'passed', [])] },
    ];
    expect(describeJestFailures({ ...jest, testResults })).toEqual([
      'failed: a.spec.ts › adds\n  expected 2\n  at a.spec.ts:1',
      'failed: b.spec.ts\n  Cannot find module',
    ]);
  });
});

describe('startup banner and browser', () => {
  it('the banner shows addresses, DNS, people and how to stop', () => {
    const people = [{ name: 'Ada Park', email: 'ada@northwind.example', provider: 'northwind' }];
    const text = startupBanner({
      url: 'http://localhost:3000',
      platformDomain: 'apps.localhost',
      edgePort: 8080,
      tlsPort: 8443,
      dnsPort: 5353,
      people,
      logs: '/l',
    });
    for (const part of [
      'http://localhost:3000/docs',
      'http://<subdomain>.apps.localhost:8080',
      'https://<subdomain>.apps.localhost:8443',
      'npm run trust',
      'dig @127.0.0.1 -p 5353',
      'Ada Park',
      'Ctrl-C',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('searches browsers on the PATH, on macOS first among the applications', () => {
    expect(browserCandidates({ PATH: '/usr/bin:/opt/bin' }, 'linux')).toContain('/opt/bin/google-chrome');
    expect(browserCandidates({ PATH: '' }, 'darwin')[0]).toMatch(/^\/Applications\/Google Chrome\.app/);
  });

  it('installs no browser after a stop request', async () => {
    const stopped = ensureBrowser({ env: { PATH: '' }, signal: AbortSignal.abort() });
    await expect(stopped).rejects.toThrow(/Stopped/);
  });

  it('names the library that a broken browser lacks', () => {
    const output = '/b/chrome: error while loading shared libraries: libnss3.so: cannot open shared object file';
    expect(adviceForBroken('/b/chrome', output)).toMatch(/no libnss3\.so\. .*install-deps/);
    expect(adviceForBroken('/b/chrome', 'Illegal instruction')).toMatch(/CHROMIUM_PATH.*\nIllegal instruction/);
  });
});
