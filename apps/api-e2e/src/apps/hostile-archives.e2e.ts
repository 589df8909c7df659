import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { App } from '@homeport/apps/contracts';
import {
  type HostileArchive,
  HOSTILE_ARCHIVES,
  sampleOfHostileArchives,
} from '@homeport/apps/server/testing/archives/hostile-archives';
import type { ApiProcess } from '../product-processes';
import { settings } from '../homeport';
import { isFull } from '../suites';
import { DeployClient } from './deploy-client';
import { ApiFixture } from './api-fixture';

const ORGANIZATION = 'hostile';
/** spooled-archive-reader.int.spec.ts reads the others without the API. */
const ARCHIVES = isFull ? HOSTILE_ARCHIVES : sampleOfHostileArchives();
const TYPES = { 'tar.gz': 'application/gzip', zip: 'application/zip' } as const;
/** Allowed memory growth. It includes garbage that is not collected yet. */
const MAX_GROWTH_BYTES = 96 * 1024 * 1024;
const SETTING_NAMES = {
  archiveBytes: 'DEPLOY_MAX_BYTES',
  unpackedBytes: 'DEPLOY_MAX_INFLATED_BYTES',
  files: 'DEPLOY_MAX_FILES',
  fileBytes: 'DEPLOY_MAX_FILE_BYTES',
} as const;

/** The resident memory of a process, in bytes. */
function residentBytes(pid: number): number {
  return 1_024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** The number of objects of the organization in storage. */
async function storedObjects(): Promise<number> {
  const s3 = new S3Client({
    endpoint: settings['S3_ENDPOINT'] as string,
    region: settings['S3_REGION'] as string,
    forcePathStyle: true,
    credentials: {
      accessKeyId: settings['S3_ACCESS_KEY_ID'] as string,
      secretAccessKey: settings['S3_SECRET_ACCESS_KEY'] as string,
    },
  });
  const prefix = `sites/${createHash('sha256').update(ORGANIZATION).digest('base64url')}/`;
  const { KeyCount } = await s3.send(new ListObjectsV2Command({ Bucket: settings['S3_BUCKET'], Prefix: prefix }));
  s3.destroy();
  return KeyCount ?? 0;
}

/** Groups the archives by their limits, as JSON of the API's settings. */
function archivesByLimits(): Map<string, HostileArchive[]> {
  return Map.groupBy(ARCHIVES, ({ limits = {} }) => {
    const settings = Object.entries(limits).map(([name, limit]) => [
      SETTING_NAMES[name as keyof typeof SETTING_NAMES],
      String(limit),
    ]);
    return JSON.stringify(Object.fromEntries(settings));
  });
}

describe(`${ARCHIVES.length} hostile archives`, () => {
  let fixture: ApiFixture;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
  });

  afterAll(() => fixture?.close());

  const refusalOf = async (deployer: DeployClient, app: App, archive: HostileArchive): Promise<string> => {
    const { status, body } = await deployer.send(app.id, archive.bytes(), { type: TYPES[archive.format] });
    if (status !== 422 || body.code !== 'apps.archive-rejected') return `${status} ${body.code}`;
    const isNamed = body.errors?.some(({ reason }) => archive.expectedReason.test(reason)) === true;
    return isNamed ? 'rejected' : JSON.stringify(body.errors);
  };

  it('are rejected with their reasons, and leave no objects or memory behind', async () => {
    expect(ARCHIVES.length).toBeGreaterThanOrEqual(isFull ? 400 : 25);
    const { token } = await fixture.member(ORGANIZATION);
    const before = await storedObjects();
    const wrong: string[] = [];
    const grown: number[] = [];
    for (const [limits, archives] of archivesByLimits()) {
      const api: ApiProcess = await fixture.api(JSON.parse(limits) as Record<string, string>);
      const deployer = new DeployClient(token, api.url);
      const app = await deployer.register('Hostile');
      const began = residentBytes(api.pid);
      for (const archive of archives) {
        const outcome = await refusalOf(deployer, app, archive);
        if (outcome !== 'rejected') wrong.push(`${archive.name}: ${outcome}`);
      }
      grown.push(residentBytes(api.pid) - began);
      const { items } = (await deployer.list(app.id, '?limit=1000')).body;
      expect(items.filter(({ status }) => status !== 'failed')).toEqual([]);
      expect(items).toHaveLength(archives.length);
      expect([api.isAlive(), api.unexpectedErrors(), api.errorLines()]).toEqual([true, [], []]);
      await api.stop();
    }
    expect(wrong).toEqual([]);
    expect(await storedObjects()).toBe(before);
    for (const growth of grown) expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
  });
});
