import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { findPrograms, PROMETHEUS, runPromtool } from '@homeport/dev-services';
import { DeployClient } from '../apps/deploy-client';
import { visit, visitHost } from '../apps/visit';
import { call, settings, signIn } from '../homeport';
import { until } from '../suites';
import { type Scrape, scrape, valueOf } from './scrape';

const root = resolve(import.meta.dirname, '../../../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
/** `npm test` reports missing programs; in CI that is a failure. */
const withPrometheus = (await findPrograms(PROMETHEUS)) ? it : it.skip;
const PROGRAMS = ['API', 'EDGE', 'RUNTIME'].filter((name) => settings[`${name}_METRICS_PORT`] !== undefined);
const SECRETS = ['SESSION_KEYS', 'SECRETS_KEYS', 'S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID', 'EMBEDDED_DNS_TOKEN'];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** Base names, without what Prometheus adds to histograms. */
const metricsIn = (text: string) => new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name as string));
const usedIn = (text: string) =>
  new Set(
    [...text.matchAll(/\b(homeport|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')),
  );

describe('the metrics of the product', () => {
  let app: App;
  let token: string;
  const scrapes = new Map<string, Scrape>();

  const allText = () => [...scrapes.values()].map(({ text }) => text).join('\n');

  beforeAll(async () => {
    ({ token } = await signIn('ada'));
    const ada = new DeployClient(token);
    app = await ada.register('Measured');
    expect((await ada.deploy(app.id, { 'index.html': '<h1>Measured</h1>' })).status).toBe(201);
    await until(async () => (await visit(app.url)).status === 200);
    expect((await visit(app.url)).status).toBe(200);
    expect((await call(`/api/apps/${app.id}`, { token })).status).toBe(200);
    expect((await call('/api/files/measured.txt', { token, method: 'PUT', body: 'measured' })).status).toBe(201);
    for (const name of PROGRAMS) {
      // On a busy machine a check of readiness may exceed its time limit.
      await until(async () => {
        scrapes.set(name, await scrape(settings[`${name}_METRICS_PORT`] as string));
        return valueOf(scrapes.get(name) as Scrape, 'homeport_ready') === 1;
      });
    }
  });

  it.each(PROGRAMS)('are on the management port of the %s', (name) => {
    expect(scrapes.get(name)).toMatchObject({ status: 200, contentType: 'text/plain; version=0.0.4; charset=utf-8' });
    expect(valueOf(scrapes.get(name) as Scrape, 'homeport_ready')).toBe(1);
    expect(valueOf(scrapes.get(name) as Scrape, 'homeport_dependency_up', { dependency: 'postgres' })).toBe(1);
  });

  it('are not on the public ports', async () => {
    expect((await call('/metrics')).status).toBe(404);
    expect((await visitHost('127.0.0.1', '/metrics')).status).toBe(404);
    expect((await visit(`${app.url}/metrics`)).status).toBe(404);
  });

  it('count what happened', () => {
    const api = scrapes.get('API') as Scrape;
    const edge = scrapes.get('EDGE') as Scrape;
    const request = { method: 'GET', route: '/api/apps/:id', status: '2xx' };
    expect(valueOf(api, 'homeport_http_request_duration_seconds_count', request)).toBeGreaterThan(0);
    const write = { dependency: 'storage', operation: 'write', outcome: 'success' };
    expect(valueOf(api, 'homeport_dependency_call_duration_seconds_count', write)).toBeGreaterThan(0);
    for (const folder of ['temporary', 'usage']) {
      expect(valueOf(api, 'homeport_disk_size_bytes', { folder })).toBeGreaterThan(0);
    }
    const update = { dependency: 'dns', operation: 'update', outcome: 'success' };
    expect(valueOf(api, 'homeport_dependency_call_duration_seconds_count', update)).toBeGreaterThan(0);
    expect(valueOf(api, 'homeport_dns_records', { state: 'settled' })).toBeGreaterThan(0);
    expect(valueOf(api, 'homeport_job_queue_due', { task: 'apps.dns' })).toBeGreaterThanOrEqual(0);
    const site = { served_by: 'site', status: '2xx' };
    expect(valueOf(edge, 'homeport_edge_request_duration_seconds_count', site)).toBeGreaterThan(0);
    expect(valueOf(edge, 'homeport_edge_cache_misses_total', { cache: 'sites' })).toBeGreaterThan(0);
  });

  it('have no label with ids, hosts, paths or people', () => {
    for (const { series } of scrapes.values()) {
      const values = new Set(series.flatMap(({ labels }) => Object.values(labels)));
      expect([...values].filter((value) => UUID.test(value) || /[@]|%|measured/i.test(value))).toEqual([]);
      expect([...values].filter((value) => value.includes(app.hostname))).toEqual([]);
    }
    const api = scrapes.get('API') as Scrape;
    const routes = new Set(api.series.flatMap(({ labels }) => labels['route'] ?? []));
    // Patterns of the route table and of the client's files.
    expect([...routes].filter((route) => route !== 'none' && !/^\/[\w.:*/-]*$/.test(route))).toEqual([]);
    // About 100 routes with 17 series for each method and class of status.
    expect(api.series.length).toBeLessThan(8_000);
  });

  it('contain no secret', () => {
    for (const name of SECRETS.filter((each) => settings[each])) {
      expect(allText()).not.toContain(settings[name]);
    }
    expect(allText()).not.toContain(token);
  });

  it('contain every metric of the dashboard, the alert rules and the documentation', () => {
    const found = metricsIn(allText());
    const isOfRuntime = (name: string) => name.startsWith('homeport_runtime_') && !PROGRAMS.includes('RUNTIME');
    // Without certificates there is no expiry.
    const absent = (name: string) =>
      !found.has(name) && !isOfRuntime(name) && name !== 'homeport_certificate_earliest_expiry_timestamp_seconds';
    for (const path of ['deploy/dashboards/homeport.json', 'deploy/alerts/homeport.yml', 'docs/metrics.md']) {
      const used = usedIn(read(path));
      expect(used.size).toBeGreaterThan(10);
      expect([path, [...used].filter(absent)]).toEqual([path, []]);
    }
    const documented = usedIn(read('docs/metrics.md'));
    expect([...found].filter((name) => name.startsWith('homeport_') && !documented.has(name))).toEqual([]);
  });

  withPrometheus.each(PROGRAMS)('of the %s pass the checks of promtool', async (name) => {
    const { text } = scrapes.get(name) as Scrape;
    const ours = text.split('\n').filter((line) => /^(# (HELP|TYPE) )?homeport_/.test(line));
    expect(await runPromtool(['check', 'metrics'], { cwd: root, input: `${ours.join('\n')}\n` })).toEqual({
      code: 0,
      output: '',
    });
    // The names that the library gives to the metrics of Node.js are not all as promtool likes them.
    expect((await runPromtool(['check', 'metrics'], { cwd: root, input: text })).output).not.toMatch(/error/i);
  });
});
