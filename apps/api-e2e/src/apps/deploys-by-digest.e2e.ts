import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { call, signIn } from '../homeport';
import { until } from '../suites';
import { DeployClient } from './deploy-client';
import { digestOf, DigestDeployClient, manifestOf } from './digest-deploy-client';
import { visit } from './visit';

const ABSENT = '00000000-0000-4000-8000-000000000000';
const UNNAMED = digestOf('no manifest names this');
const MIB = 1024 * 1024;

/** A site whose bytes no other test has. */
function freshSite() {
  const id = randomUUID();
  return {
    'index.html': `<title>${id}</title>`,
    'copy.html': `<title>${id}</title>`,
    'styles.css': `/* ${id} */`.repeat(100),
    'photo.jpg': randomBytes(2 * MIB),
    _redirects: `/old-${id} /copy\n/bad\n`,
    '.env': 'never published',
  };
}

describe('a deploy by digest', () => {
  let ada: DeployClient;
  let hank: DeployClient;
  let digests: DigestDeployClient;
  let foreign: DigestDeployClient;
  let app: App;

  beforeAll(async () => {
    const [first, second] = await Promise.all([signIn('ada'), signIn('hank')]);
    [ada, hank] = [new DeployClient(first.token), new DeployClient(second.token)];
    [digests, foreign] = [new DigestDeployClient(first.token), new DigestDeployClient(second.token)];
    app = await ada.register('Digest');
  });

  it('uploads what the organization lacks, and is live when it is finished', async () => {
    const site = freshSite();
    const started = await digests.start(app.id, manifestOf(site), { query: '?branch=main&message=First' });
    const { id, missing } = started.body;
    expect([started.status, started.headers.get('location')]).toEqual([201, `/api/deploys/${id}`]);
    expect(started.body).toMatchObject({ status: 'uploading', number: 1, file_count: 0, alias_url: null });
    expect(missing.toSorted()).toEqual(
      [site._redirects, site['index.html'], site['photo.jpg'], site['styles.css']].map(digestOf).toSorted(),
    );
    expect((await ada.get(id)).body).toMatchObject({ status: 'uploading', source: { message: 'First' } });
    const early = await digests.finish(id);
    expect([early.status, early.body.code]).toEqual([409, 'apps.blobs-missing']);
    expect(early.body.errors?.map(({ field }) => field)).toEqual(missing);
    await digests.uploadMissing(started.body, site);
    const finished = await digests.finish(id);
    expect(finished.status).toBe(200);
    expect(finished.body).toMatchObject({ id, status: 'ready', file_count: 5, problem_count: 1 });
    expect(finished.body).toMatchObject({
      activation: { activated: true, reason: null },
      alias_url: expect.stringContaining('pv--main--'),
    });
    const { body: details } = await ada.get(id);
    expect(details.files.map(({ path }) => path)).toEqual([
      '_redirects',
      'copy.html',
      'index.html',
      'photo.jpg',
      'styles.css',
    ]);
    expect(details.problems).toEqual([{ path: '_redirects', line: 2, reason: expect.any(String) }]);
    await until(async () => (await visit(app.url)).body.includes(site['index.html']));
    const css = await visit(`${app.url}/styles.css`, { headers: { 'accept-encoding': 'br' } });
    expect(css.headers).toMatchObject({ 'content-encoding': 'br', 'content-type': 'text/css; charset=utf-8' });
    const redirect = await visit(`${app.url}${site._redirects.split(' ')[0]}`);
    expect([redirect.status, redirect.headers.location]).toEqual([301, '/copy']);
    expect((await visit(`${app.url}/photo.jpg`)).headers['content-length']).toBe(String(2 * MIB));
  });

  it('lacks only what changed, whichever way the other files arrived', async () => {
    const site = { ...freshSite(), _redirects: '' };
    const archived = await ada.deploy(app.id, site);
    expect(archived.status).toBe(201);
    const changed = { ...site, 'index.html': `<title>${randomUUID()}</title>` };
    const { body } = await digests.start(app.id, manifestOf(changed));
    expect(body.missing).toEqual(
      [digestOf(''), digestOf(changed['index.html'])].filter((each) => body.missing.includes(each)),
    );
    expect(body.missing).toContain(digestOf(changed['index.html']));
    await digests.uploadMissing(body, changed);
    expect((await digests.finish(body.id, '?activate=false')).body.activation.reason).toBe('not-requested');
    expect((await ada.app(app.id)).body.active_deploy_id).toBe(archived.body.id);
  });

  it('reveals nothing of other organizations', async () => {
    const site = freshSite();
    const { body: own } = await digests.deploy(app.id, site);
    const theirs = await hank.register('Digest');
    const { body: started } = await foreign.start(theirs.id, manifestOf(site));
    expect(started.missing).toHaveLength(4);
    const digest = digestOf(site['index.html']);
    const answers = await Promise.all([
      foreign.start(app.id, manifestOf(site)),
      foreign.upload(own.id, digest, site['index.html']),
      foreign.finish(own.id),
      digests.finish(started.id),
      digests.upload(started.id, digest, site['index.html']),
      digests.finish(ABSENT),
      digests.upload('nonsense', digest, 'x'),
      digests.start('nonsense', manifestOf(site)),
    ]);
    const [notFound, app404] = ['apps.deploy-not-found', 'apps.not-found'];
    const codes = [app404, ...Array<string>(6).fill(notFound), app404];
    expect(answers.map(({ status, body }) => [status, body?.code])).toEqual(codes.map((code) => [404, code]));
    const withoutToken = await call(`/api/deploys/${own.id}/finish`, { method: 'POST' });
    expect(withoutToken.status).toBe(401);
  });

  it('can be repeated in every step', async () => {
    const site = freshSite();
    const manifest = manifestOf(site);
    const first = await digests.start(app.id, manifest);
    await digests.uploadMissing(first.body, site);
    const again = await digests.start(app.id, manifest);
    expect([again.status, again.body.missing]).toEqual([201, []]);
    expect(again.body.id).not.toBe(first.body.id);
    for (let i = 0; i < 2; i += 1) {
      const { status } = await digests.upload(again.body.id, digestOf(site['index.html']), site['index.html']);
      expect(status).toBe(204);
    }
    const finished = await digests.finish(again.body.id);
    const repeated = await digests.finish(again.body.id, '?activate=false');
    expect([repeated.status, repeated.body]).toEqual([200, finished.body]);
    const late = await digests.upload(again.body.id, digestOf(site['styles.css']), site['styles.css']);
    expect(late.status).toBe(204);
    const { deploy_count: before } = (await ada.app(app.id)).body;
    await digests.finish(again.body.id);
    expect((await ada.app(app.id)).body.deploy_count).toBe(before);
    await digests.finish(first.body.id, '?activate=false');
    expect((await digests.finish(first.body.id)).body.activation).toEqual({
      activated: false,
      reason: 'not-requested',
    });
  });

  it('rejects bytes that do not match, and stores nothing of them', async () => {
    const content = randomUUID();
    const large = randomBytes(2 * MIB);
    const { body } = await digests.start(app.id, manifestOf({ 'index.html': content, 'large.bin': large }));
    const digest = digestOf(content);
    const wrong = Buffer.from(large);
    wrong[MIB] = 1 + (wrong[MIB] as number);
    const stream = (text: string) => new Blob([text]).stream();
    for (const [name, bytes] of [
      [digest, content.toUpperCase()],
      [digest, content.slice(1)],
      [digest, `${content}x`],
      [digest, stream(`${content}x`.repeat(100))],
      [digest, stream('')],
      [digestOf(large), new Uint8Array(wrong)],
    ] as const) {
      const answer = await digests.upload(body.id, name, bytes);
      expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'files.digest-mismatch' })]);
    }
    for (const name of [UNNAMED, digest.toUpperCase(), digest.slice(7), `${digest}0`, 'sha256:', '..%2f', '\0']) {
      const answer = await digests.upload(body.id, name, content);
      expect([name, answer.status, answer.body?.code]).toEqual([name, 404, 'apps.blob-not-found']);
    }
    const encoded = await digests.upload(body.id, digest, content, { 'content-encoding': 'gzip' });
    expect(encoded.status).toBe(415);
    const { body: missing } = await digests.finish(body.id);
    expect(missing.errors?.map(({ field }) => field)).toEqual([digest, digestOf(large)]);
    expect((await digests.upload(body.id, digest, stream(content))).status).toBe(204);
  });

  it('rejects a manifest whose sizes differ from the bytes', async () => {
    const content = randomUUID();
    const [digest, size] = [digestOf(content), content.length];
    const manifest = (stated: number) => ({ files: { 'index.html': { digest, size: stated } } });
    const { body: larger } = await digests.start(app.id, manifest(size + 1_000));
    const chunked = await digests.upload(larger.id, digest, new Blob([content]).stream());
    expect([chunked.status, chunked.body?.code]).toEqual([400, 'files.digest-mismatch']);
    const { body: honest } = await digests.start(app.id, manifest(size));
    expect((await digests.upload(honest.id, digest, content)).status).toBe(204);
    for (const stated of [0, size - 1, size + 1]) {
      const { body } = await digests.start(app.id, manifest(stated));
      expect(body.missing).toEqual([digest]);
      expect((await digests.upload(body.id, digest, content)).body?.code).toBe('files.digest-mismatch');
      expect((await digests.finish(body.id)).body.code).toBe('apps.blobs-missing');
    }
    expect((await digests.finish(larger.id)).body.code).toBe('apps.blobs-missing');
    expect((await digests.finish(honest.id, '?activate=false')).status).toBe(200);
  });

  it('rejects names like those of archives, and records the failed deploy', async () => {
    const fresh = await ada.register('Digest names');
    const file = { digest: UNNAMED, size: 5 };
    const files = { '../x': file, 'a\\b': file, 'A.txt': file, 'a.txt': file, '\ud800': file, '/etc/passwd': file };
    const rejected = await digests.start(fresh.id, { files });
    expect([rejected.status, rejected.body.code]).toEqual([422, 'apps.archive-rejected']);
    const names = rejected.body.errors?.map(({ field }) => field);
    expect(names).toEqual(expect.arrayContaining(['../x', 'a\\b', '/etc/passwd']));
    const { items } = (await ada.list(fresh.id)).body;
    expect(items).toMatchObject([{ status: 'failed', error: { code: 'rejected' }, problem_count: names?.length }]);
    for (const [wrong, status] of [
      [{ files: {} }, 422],
      [{ files: { '.env': file } }, 422],
      [{ files: { 'a.html': { ...file, size: 10 ** 12 } } }, 422],
      [{ files: { 'a.html': file, 'b.html': { ...file, size: 6 } } }, 422],
      [{ files: { 'a.html': { ...file, size: -1 } } }, 400],
      [{ files: { 'a.html': { ...file, size: 1.5 } } }, 400],
      [{ files: { 'a.html': { ...file, digest: UNNAMED.toUpperCase() } } }, 400],
      [{ files: { 'a.html': { ...file, mode: 1 } } }, 400],
      [{ files: { 'a.html': null } }, 400],
      [{ files: [] }, 400],
      [{ files: { 'a.html': file }, more: 1 }, 400],
      [{ files: { 'a.html': file }, type: 'php' }, 400],
      [{ files: { 'a.html': file }, type: 'ssr' }, 400],
      ['{"files":', 400],
      ['', 400],
      ['[]', 400],
      [new Uint8Array([0xff]), 400],
    ] as const) {
      const answer = await digests.start(fresh.id, wrong);
      expect([wrong, answer.status]).toEqual([wrong, status]);
    }
    const folded = await digests.start(fresh.id, {
      files: { 'dist/__proto__': file, 'dist/a.html': file },
      type: 'static',
    });
    expect([folded.status, folded.body.missing]).toEqual([201, [UNNAMED]]);
    const early = await digests.start(fresh.id, { files }, { query: '?activate=true' });
    expect([early.status, early.body.errors?.[0]?.field]).toEqual([400, 'activate']);
    expect((await digests.start(fresh.id, { files }, { query: '?commit=HEAD' })).status).toBe(400);
  });

  it('accepts a large manifest in gzip, and no larger one than a deploy may have', async () => {
    const fresh = await ada.register('Digest large');
    const paths = Array.from({ length: 20_000 }, (_, i) => `assets/chunk-${String(i).padStart(5, '0')}.js`);
    const files = Object.fromEntries(paths.map((path) => [path, { digest: digestOf(path), size: path.length }]));
    const gzip = { headers: { 'content-encoding': 'gzip' } };
    const started = await digests.start(fresh.id, new Uint8Array(gzipSync(JSON.stringify({ files }))), gzip);
    expect([started.status, started.body.missing.length]).toEqual([201, 20_000]);
    const { status, body } = await digests.finish(started.body.id);
    expect([status, body.code, body.errors?.length]).toEqual([409, 'apps.blobs-missing', 50]);
    const tooMany = { files: { ...files, 'one-more.js': { digest: UNNAMED, size: 1 } } };
    expect((await digests.start(fresh.id, tooMany)).status).toBe(422);
    const bomb = gzipSync(' '.repeat(64 * MIB));
    expect((await digests.start(fresh.id, new Uint8Array(bomb), gzip)).status).toBe(413);
    expect((await digests.start(fresh.id, '{"files":{}}', gzip)).status).toBe(400);
    expect((await digests.start(fresh.id, '{}', { headers: { 'content-encoding': 'br' } })).status).toBe(415);
    expect((await ada.remove(started.body.id)).status).toBe(204);
  });

  it('is the same when clients race', async () => {
    const site = freshSite();
    const { body } = await digests.start(app.id, manifestOf(site));
    const large = site['photo.jpg'];
    const uploads = Array.from({ length: 4 }, () => digests.upload(body.id, digestOf(large), new Uint8Array(large)));
    const finishing = digests.finish(body.id);
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect((await finishing).status).toBe(409);
    const rest = body.missing.filter((digest) => digest !== digestOf(large));
    await Promise.all([1, 2].map(() => digests.uploadMissing({ id: body.id, missing: rest }, site)));
    const before = (await ada.app(app.id)).body.deploy_count;
    const finished = await Promise.all(Array.from({ length: 4 }, () => digests.finish(body.id)));
    expect(finished.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const each of finished) expect(each.body).toEqual(finished[0]?.body);
    expect((await ada.app(app.id)).body.deploy_count).toBe(before + 1);
    await until(async () => (await visit(app.url)).body.includes(site['index.html']));
  });

  it('ends with its deletion, with that of the app, and is not mixed with archives', async () => {
    const fresh = await ada.register('Digest ends');
    const site = freshSite();
    const { body: deleted } = await digests.start(fresh.id, manifestOf(site));
    expect((await ada.remove(deleted.id)).status).toBe(204);
    expect((await digests.finish(deleted.id)).body.code).toBe('apps.deploy-not-found');
    const { body: archived } = await ada.deploy(fresh.id, { 'index.html': 'archive' });
    expect((await digests.finish(archived.id)).body).toMatchObject({ id: archived.id, status: 'ready' });
    const digest = digestOf(site['index.html']);
    expect((await digests.upload(archived.id, digest, 'x')).body?.code).toBe('apps.blob-not-found');
    const refused = await ada.send(fresh.id, 'no archive');
    const { items } = (await ada.list(fresh.id)).body;
    expect([refused.status, items[0]?.status]).toEqual([422, 'failed']);
    expect((await digests.finish(items[0]?.id as string)).body.code).toBe('apps.deploy-not-uploading');
    const { body: open } = await digests.start(fresh.id, manifestOf(site));
    await ada.delete(fresh.id);
    expect((await digests.finish(open.id)).body.code).toBe('apps.deploy-not-uploading');
    expect((await digests.upload(open.id, digest, site['index.html'])).body?.code).toBe('apps.deploy-not-uploading');
    expect((await digests.start(fresh.id, manifestOf(site))).body.code).toBe('apps.not-found');
  });
});
