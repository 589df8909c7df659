import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { EDGE_ENVIRONMENT_NAMES, loadConfig } from './config';

const textOf = (path: string) => readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');

/** The time limit for pending requests when an instance stops. */
const DRAIN_LIMIT_SECONDS = 25;

describe('the edge in docker-compose.yml', () => {
  const { services } = parse(textOf('docker-compose.yml')) as {
    services: Record<
      'api' | 'edge',
      { environment: Record<string, string>; ports?: string[]; stop_grace_period: string }
    >;
  };
  const { environment: edge, ports } = services.edge;

  it('receives all required variables and no unknown ones', () => {
    expect(Object.keys(edge).filter((name) => !EDGE_ENVIRONMENT_NAMES.includes(name))).toEqual([]);
    expect(loadConfig({ ...edge, DATABASE_URL: 'postgres://db/homeport' })).toMatchObject({
      S3_FORCE_PATH_STYLE: true,
    });
  });

  it.each([services.api, services.edge])(
    'has a grace period longer than the shutdown',
    ({ environment, stop_grace_period: grace }) => {
      const noticeSeconds = Number(environment['SHUTDOWN_NOTICE_MS']) / 1_000;
      expect(Number.parseInt(grace, 10)).toBeGreaterThan(noticeSeconds + DRAIN_LIMIT_SECONDS);
    },
  );

  it('shares database, storage and domain with the API and publishes the edge port', () => {
    const shared = Object.keys(edge).filter((name) => name in services.api.environment && name !== 'MANAGEMENT_PORT');
    expect(shared).toEqual(expect.arrayContaining(['DATABASE_URL', 'S3_BUCKET', 'S3_ENDPOINT', 'PLATFORM_DOMAIN']));
    for (const name of shared) expect([name, edge[name]]).toEqual([name, services.api.environment[name]]);
    expect(ports).toEqual([`127.0.0.1:8080:${edge['EDGE_PORT']}`]);
  });
});
