import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  findPrograms,
  freePort,
  PROMETHEUS,
  runPromtool,
  type RunningPrometheus,
  startPrometheus,
} from '@homeport/dev-services';
import type { Route53Double } from '@homeport/apps/server/testing/route53/route53-double';
import { ApiFixture } from '../apps/api-fixture';
import { DedicatedPostgres } from '../apps/dedicated-postgres';
import type { MemberClient } from '../apps/member-client';
import { FaultProxy } from '../files/reliability/fault-proxy';
import { settings } from '../homeport';
import type { ApiProcess, EdgeProcess } from '../product-processes';
import { until } from '../suites';
import { ALERT_RULES, ALERTS, quickRules, RECORDING_RULES, ROOT } from './alert-rules';
import { scrape, valueOf } from './scrape';

/** `npm test` reports missing programs; in CI that is a failure. */
const hasPrometheus = (await findPrograms(PROMETHEUS)) !== undefined;
const withPrometheus = hasPrometheus ? describe : describe.skip;

describe('the runbooks', () => {
  it.each(ALERT_RULES)('have a page for $alert', ({ alert, annotations, labels }) => {
    const page = resolve(ROOT, annotations['runbook_url'] ?? '');
    expect(existsSync(page)).toBe(true);
    const text = readFileSync(page, 'utf8');
    expect(text).toContain(`Alert: \`${alert}\``);
    expect(text.match(/^## .*/gm)).toEqual(['## What it means', '## What people see', '## Look at', '## Do']);
    expect(['critical', 'warning']).toContain(labels['severity']);
  });

  it('have no other pages, and list all', () => {
    const folder = resolve(ROOT, 'docs/runbooks');
    const pages = readdirSync(folder).filter((name) => name !== 'README.md');
    const named = ALERT_RULES.map(({ annotations }) => annotations['runbook_url']?.replace('docs/runbooks/', ''));
    expect(pages.toSorted()).toEqual(named.toSorted());
    const list = readFileSync(resolve(folder, 'README.md'), 'utf8');
    expect(pages.filter((page) => !list.includes(`(${page})`))).toEqual([]);
  });

  it('link to pages that exist', () => {
    const folder = resolve(ROOT, 'docs/runbooks');
    const links = readdirSync(folder).flatMap((name) =>
      [...readFileSync(resolve(folder, name), 'utf8').matchAll(/\]\(([^)#]+)/g)].map(([, path]) => path as string),
    );
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((path) => !existsSync(resolve(folder, path)))).toEqual([]);
  });
});

describe('docs/metrics.md', () => {
  const text = readFileSync(resolve(ROOT, 'docs/metrics.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(Homeport\w+)` +\|(.*)\|$/gm)].map(([, alert = '', row = '']) => ({
    alert,
    row,
  }));

  it('lists the fault by which each alert was made to fire', () => {
    expect(rows.map(({ alert }) => alert)).toEqual(ALERT_RULES.map(({ alert }) => alert));
  });

  it.each(rows)('names the test of $alert', ({ alert, row }) => {
    const [, path = ''] = /`([\w.-]+\.e2e\.ts)`/.exec(row) ?? [];
    expect(readFileSync(resolve(import.meta.dirname, path), 'utf8')).toContain(`'${alert}'`);
  });
});

describe('the queries of the alert rules and of the dashboard', () => {
  it.each(['deploy/alerts/homeport.yml', 'deploy/dashboards/homeport.json'])(
    'match buckets as Prometheus 2 and 3 store them, in %s',
    (path) => {
      // Prometheus 3 stores le="1" as le="1.0".
      const wholeNumbers = readFileSync(resolve(ROOT, path), 'utf8').match(/\ble=\\?"\d+(\.0)?\\?"/g);
      expect(wholeNumbers).toBeNull();
    },
  );
});

withPrometheus('the alert rules', () => {
  it('are valid', async () => {
    const { code, output } = await runPromtool(['check', 'rules', 'homeport.yml'], { cwd: ALERTS });
    expect([code, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it('are part of the configuration in the documentation, which is valid', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'homeport-promtool-'));
    try {
      await copyFile(resolve(ROOT, 'docs/examples/prometheus.yml'), join(folder, 'prometheus.yml'));
      await copyFile(resolve(ALERTS, 'homeport.yml'), join(folder, 'homeport.yml'));
      const { code, output } = await runPromtool(['check', 'config', 'prometheus.yml'], { cwd: folder });
      const found = `SUCCESS: ${ALERT_RULES.length + RECORDING_RULES.length} rules found`;
      expect([code, output]).toEqual([0, expect.stringContaining(found)]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('fire on faults, and not on a healthy product', async () => {
    const { code, output } = await runPromtool(['test', 'rules', 'homeport.test.yml'], { cwd: ALERTS });
    expect([code, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
    const tests = readFileSync(resolve(ALERTS, 'homeport.test.yml'), 'utf8');
    for (const { alert } of ALERT_RULES) {
      expect(tests).toContain(`- name: ${alert} fires\n`);
      expect(tests).toContain(`- name: ${alert} does not fire\n`);
    }
  });
});

withPrometheus('a Prometheus that scrapes a product', () => {
  let postgres: DedicatedPostgres;
  let fixture: ApiFixture;
  let storage: FaultProxy;
  let dns: Route53Double;
  let api: ApiProcess;
  let edge: EdgeProcess;
  let member: MemberClient;
  let prometheus: RunningPrometheus;
  let apiPort: number;

  const firing = async () => (await prometheus.firing()).map(({ name }) => name);
  const fires = (name: string) => until(async () => (await firing()).includes(name));
  const recovers = (name: string) => until(async () => !(await firing()).includes(name));
  const readFile = () => fetch(`${api.url}/api/files/a.txt`, { headers: { authorization: `Bearer ${member.token}` } });

  beforeAll(async () => {
    postgres = await DedicatedPostgres.start();
    fixture = await ApiFixture.open(postgres.url);
    dns = await fixture.route53();
    storage = await FaultProxy.start(settings['S3_ENDPOINT'] as string);
    apiPort = await freePort();
    const edgePort = await freePort();
    const more = { S3_ENDPOINT: storage.endpoint };
    [api, member] = await Promise.all([
      fixture.api({ ...more, MANAGEMENT_PORT: String(apiPort) }),
      fixture.member('observed'),
    ]);
    edge = await fixture.edge({ ...more, MANAGEMENT_PORT: String(edgePort) });
    const targets = { 'homeport-api': `127.0.0.1:${apiPort}`, 'homeport-edge': `127.0.0.1:${edgePort}` };
    prometheus = await startPrometheus({ targets, rules: quickRules() });
  });
  afterAll(async () => {
    await prometheus?.close();
    await fixture.close();
    await storage.stop();
    await postgres.remove();
  });

  it('sees a healthy product', async () => {
    expect((await member.register(api.url, 'observed-one')).status).toBe(201);
    await until(async () => (await prometheus.query('min(up)')) === 1);
    await until(async () => (await prometheus.query('count(homeport_ready == 1)')) === 2);
    // On a busy machine, a scrape may be late. The disk of the machine may be full.
    await until(async () => (await firing()).every((name) => name === 'HomeportDiskNearlyFull'));
  });

  it('alerts when the storage is unreachable, and requests fail', async () => {
    await storage.stopListening();
    await until(async () => {
      expect((await readFile()).status).toBe(503);
      return (await firing()).includes('HomeportApiErrors');
    });
    await fires('HomeportDependencyDown');
    const storageUp = async () => valueOf(await scrape(apiPort), 'homeport_dependency_up', { dependency: 'storage' });
    await until(async () => (await storageUp()) === 0);
    await storage.listen();
    await recovers('HomeportDependencyDown');
    await recovers('HomeportApiErrors');
  });

  it('alerts when PostgreSQL is unavailable, and the scrape says so', async () => {
    await postgres.stop();
    await fires('HomeportNotReady');
    await fires('HomeportMetricsIncomplete');
    const { status, series } = await scrape(apiPort);
    expect(status).toBe(200);
    const names = new Set(series.map(({ name }) => name));
    expect(names).toContain('homeport_http_request_duration_seconds_count');
    expect(names).not.toContain('homeport_dns_records');
    await postgres.restart();
    await recovers('HomeportNotReady');
    await recovers('HomeportMetricsIncomplete');
  });

  it('alerts when the DNS provider rejects changes', async () => {
    dns.faults.always({ status: 503 });
    await member.register(api.url, 'observed-two');
    await fires('HomeportDnsRecordsFailed');
    dns.faults.clear();
  });

  it('alerts when an edge is killed', async () => {
    await edge.kill();
    const ofEdge = async () =>
      (await prometheus.firing()).find(
        ({ name, labels }) => name === 'HomeportInstanceDown' && labels['job'] === 'homeport-edge',
      );
    await until(async () => (await ofEdge()) !== undefined);
    expect((await ofEdge())?.annotations['runbook_url']).toBe('docs/runbooks/instance-down.md');
  });
});
