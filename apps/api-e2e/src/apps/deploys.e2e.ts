import { beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { call, signIn } from '../homeport';
import { tarGz, zip } from './archives';
import { DeployClient } from './deploy-client';

const SITE = { 'index.html': '<h1>One</h1>', 'assets/main-ABCDEFG2.js': 'console.log(1)' };
const ABSENT = '00000000-0000-4000-8000-000000000000';

describe('deploys of an app', () => {
  let ada: DeployClient;
  let hank: DeployClient;
  let app: App;

  beforeAll(async () => {
    const [first, second] = await Promise.all([signIn('ada'), signIn('hank')]);
    ada = new DeployClient(first.token);
    hank = new DeployClient(second.token);
    app = await ada.register();
  });

  it('accept a tar.gz, and are live at once', async () => {
    const { status, headers, body: deploy } = await ada.deploy(app.id, SITE);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/deploys/${deploy.id}`);
    expect(deploy).toEqual({
      id: expect.any(String),
      app_id: app.id,
      number: 1,
      status: 'ready',
      file_count: 2,
      total_bytes: 12 + 14,
      url: expect.stringMatching(/^http:\/\/pv--[0-9a-f]{32}\.apps\.localhost:\d+$/),
      alias_url: null,
      created_at: expect.stringMatching(/Z$/),
      ready_at: expect.stringMatching(/Z$/),
      archived_at: null,
      framework: null,
      first_live_at: expect.stringMatching(/Z$/),
      held_back: false,
      created_by: expect.stringMatching(/./),
      source: null,
      problem_count: 0,
      activation: { activated: true, reason: null },
    });
    expect((await ada.app(app.id)).body).toMatchObject({
      deploy_count: 1,
      active_deploy_id: deploy.id,
      active_deploy: { number: 1, created_by: deploy.created_by, problem_count: 0, has_start_page: true },
    });
  });

  it('accept a zip, and are not activated with activate=false', async () => {
    const before = (await ada.app(app.id)).body.active_deploy_id;
    const sent = { type: 'application/zip', query: '?activate=false' };
    const { status, body: deploy } = await ada.send(app.id, zip({ ...SITE, 'index.html': '<h1>Two</h1>' }), sent);
    expect([status, deploy.status]).toEqual([201, 'ready']);
    expect(deploy).toMatchObject({ first_live_at: null, activation: { activated: false, reason: 'not-requested' } });
    expect((await ada.app(app.id)).body).toMatchObject({ deploy_count: 2, active_deploy_id: before });
    const activated = await ada.activate(deploy.id);
    expect([activated.status, activated.body.active_deploy_id]).toEqual([200, deploy.id]);
    const again = await ada.activate(deploy.id);
    expect([again.status, again.body.active_deploy_id]).toEqual([200, deploy.id]);
  });

  it('show the source that the uploader states', async () => {
    const fresh = await ada.register();
    const commit = '9FCEB02D0AE598E95DC970B74767F19372D61AF8';
    const stated = { branch: 'feature/ü', commit, message: 'Preise +5 %', url: 'https://ci.example.com/runs/512' };
    const { body: deploy } = await ada.deploy(fresh.id, SITE, `?${new URLSearchParams(stated)}`);
    const source = { ...stated, commit: commit.toLowerCase() };
    expect(deploy).toMatchObject({ number: 1, source });
    const { body: second } = await ada.deploy(fresh.id, SITE, '?message=site.zip');
    expect(second).toMatchObject({ number: 2, source: { branch: null, commit: null, message: 'site.zip', url: null } });
    expect((await ada.list(fresh.id)).body.items).toMatchObject([{ number: 2 }, { number: 1, source }]);
    const wrong = await ada.deploy(fresh.id, SITE, '?commit=HEAD&url=http%3A%2F%2Fci.example.com&message=ok');
    expect([wrong.status, wrong.body.code]).toEqual([400, 'platform.invalid-request']);
    expect(wrong.body.errors?.map(({ field }) => field)).toEqual(['commit', 'url']);
    expect((await ada.app(fresh.id)).body).toMatchObject({ deploy_count: 2, active_deploy: { number: 2 } });
  });

  it('are held back when they take the start page of a working site away', async () => {
    const fresh = await ada.register();
    const broken = { 'about.html': 'About' };
    const first = await ada.deploy(fresh.id, broken);
    expect(first.body.activation).toEqual({ activated: true, reason: null });
    const { body: working } = await ada.deploy(fresh.id, SITE, '?activate=true');
    const { status, body: held } = await ada.deploy(fresh.id, broken);
    expect([status, held.status, held.activation]).toEqual([
      201,
      'ready',
      { activated: false, reason: 'no-start-page' },
    ]);
    expect((await ada.app(fresh.id)).body).toMatchObject({ deploy_count: 3, active_deploy_id: working.id });
    expect((await ada.get(held.id)).body).toMatchObject({
      ...{ first_live_at: null, held_back: true, problem_count: 1, problems: [{ path: 'index.html' }] },
    });
    const { body: forced } = await ada.deploy(fresh.id, broken, '?activate=force');
    expect(forced.activation).toEqual({ activated: true, reason: null });
    expect((await ada.app(fresh.id)).body.active_deploy_id).toBe(forced.id);
    expect((await ada.activate(held.id)).body.active_deploy_id).toBe(held.id);
  });

  it('list their files and problems', async () => {
    const files = {
      'dist/about.html': 'About',
      'dist/_redirects': '/old /about\n/bad\n',
      'dist/.DS_Store': 'x',
      'dist/.well-known/security.txt': 'y',
    };
    const { body: deploy } = await ada.deploy(app.id, files, '?activate=false');
    const { status, body } = await ada.get(deploy.id);
    expect(status).toBe(200);
    expect(body.files.map(({ path }) => path)).toEqual(['.well-known/security.txt', '_redirects', 'about.html']);
    expect(body.files[2]).toEqual({
      path: 'about.html',
      size: 5,
      content_type: 'text/html; charset=utf-8',
      digest: expect.stringMatching(/^sha-256:[0-9a-f]{64}$/),
    });
    expect(body.problems).toEqual([
      { path: 'index.html', line: null, reason: expect.any(String) },
      { path: '_redirects', line: 2, reason: expect.any(String) },
    ]);
  });

  it('return their first 1,000 files, and all files in pages', async () => {
    const paths = Array.from({ length: 1_001 }, (_, i) => `files/${String(i).padStart(4, '0')} ü.txt`);
    const site = Object.fromEntries(['😀.txt', '～.txt', ...paths].map((path) => [path, 'x']));
    const { body: deploy } = await ada.deploy(app.id, site, '?activate=false');
    const ordered = [...paths, '～.txt', '😀.txt'];
    const { body: details } = await ada.get(deploy.id);
    expect(details.files.map(({ path }) => path)).toEqual(ordered.slice(0, 1_000));
    const { body: rest } = await ada.files(deploy.id, `?cursor=${details.files_next_cursor}`);
    expect([rest.items.map(({ path }) => path), rest.next_cursor]).toEqual([ordered.slice(1_000), null]);
    const { body: first } = await ada.files(deploy.id);
    expect(first).toEqual({ items: details.files, next_cursor: details.files_next_cursor });
    const paged: string[] = [];
    let query: string | undefined = '?limit=400';
    while (query !== undefined) {
      const { body: page }: Awaited<ReturnType<DeployClient['files']>> = await ada.files(deploy.id, query);
      paged.push(...page.items.map(({ path }) => path));
      query = page.next_cursor === null ? undefined : `?limit=400&cursor=${page.next_cursor}`;
    }
    expect(paged).toEqual(ordered);
    const nul = Buffer.from('a\0').toString('base64url');
    for (const bad of ['?limit=0', '?limit=1001', '?limit=x', '?cursor=*', '?cursor=', `?cursor=${nul}`, '?page=2']) {
      const refused = await ada.files(deploy.id, bad);
      expect([bad, refused.status, refused.body.code]).toEqual([bad, 400, 'platform.invalid-request']);
    }
  });

  it('are deleted, unless they are live', async () => {
    const fresh = await ada.register();
    const ids: string[] = [];
    for (const text of ['A', 'B', 'C']) ids.push((await ada.deploy(fresh.id, { 'index.html': text })).body.id);
    const [first, second, live] = ids as [string, string, string];
    const refused = await ada.remove(live);
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ code: 'apps.deploy-live' })]);
    for (const id of [second, second, ABSENT, 'nonsense', '%00']) {
      expect([id, (await ada.remove(id)).status]).toEqual([id, 204]);
    }
    expect((await hank.remove(first)).status).toBe(204);
    expect((await ada.list(fresh.id)).body.items.map(({ id }) => id)).toEqual([live, first]);
    const deleted = await Promise.all([ada.get(second), ada.files(second), ada.activate(second)]);
    expect(deleted.map(({ status, body }) => [status, body.code])).toEqual(
      Array(3).fill([404, 'apps.deploy-not-found']),
    );
    expect((await ada.get(live)).body.rolls_back_to?.id).toBe(first);
    expect((await ada.rollBack(fresh.id)).body).toMatchObject({ active_deploy_id: first, deploy_count: 3 });
  });

  it('roll back to the previously active deploy', async () => {
    const fresh = await ada.register();
    const none = await ada.rollBack(fresh.id);
    expect([none.status, none.body.code]).toEqual([409, 'apps.nothing-to-roll-back']);
    const ids: string[] = [];
    for (const text of ['A', 'B', 'C']) ids.push((await ada.deploy(fresh.id, { 'index.html': text })).body.id);
    const former = async (id: string | undefined) => (await ada.get(String(id))).body.rolls_back_to?.id;
    expect(await Promise.all(ids.map(former))).toEqual([undefined, undefined, ids[1]]);
    const only = async () => (await ada.rollBack(fresh.id)).body.active_deploy_id;
    expect([await only(), await former(ids[1]), await only()]).toEqual([ids[1], ids[0], ids[0]]);
    expect((await ada.rollBack(fresh.id)).body).toMatchObject({
      code: 'apps.nothing-to-roll-back',
      detail: 'There is no earlier deploy to roll back to.',
    });
    expect((await ada.app(fresh.id)).body.deploy_count).toBe(3);
  });

  it('are rolled back once when two calls expect the same deploy', async () => {
    const fresh = await ada.register();
    const ids: string[] = [];
    for (const text of ['A', 'B']) ids.push((await ada.deploy(fresh.id, { 'index.html': text })).body.id);
    const [older, newer] = ids as [string, string];
    const both = await Promise.all([1, 2].map(() => ada.rollBack(fresh.id, `?from=${newer}`)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body.code).toBe('apps.deploy-not-active');
    for (const from of [newer, newer.toUpperCase(), fresh.id, ABSENT, 'nonsense', '%00']) {
      const stale = await ada.rollBack(fresh.id, `?from=${from}`);
      expect([from, stale.status, stale.body.code]).toEqual([from, 409, 'apps.deploy-not-active']);
    }
    const elsewhere = await ada.rollBack(fresh.id, `?to=${newer}`);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([409, 'apps.nothing-to-roll-back']);
    for (const query of ['?from=', '?to=', `?from=${older}&from=${older}`, '?deploy=1']) {
      expect([query, (await ada.rollBack(fresh.id, query)).status]).toEqual([query, 400]);
    }
    expect((await ada.app(fresh.id)).body.active_deploy_id).toBe(older);
    expect((await hank.rollBack(fresh.id, `?from=${older}`)).body.code).toBe('apps.not-found');
    await ada.activate(newer);
    const other = await ada.rollBack(fresh.id, `?from=${newer}&to=${newer}`);
    expect([other.status, other.body.code]).toEqual([409, 'apps.deploy-not-active']);
    const back = await ada.rollBack(fresh.id, `?from=${newer.toUpperCase()}&to=${older}`);
    expect([back.status, back.body.active_deploy_id]).toEqual([200, older]);
  });

  it('have no target to roll back to after the first deploy', async () => {
    const fresh = await ada.register();
    await ada.deploy(fresh.id, SITE);
    expect((await ada.rollBack(fresh.id)).body.code).toBe('apps.nothing-to-roll-back');
  });

  it('are listed newest first, in pages', async () => {
    const fresh = await ada.register();
    expect((await ada.list(fresh.id)).body).toEqual({ items: [], next_cursor: null });
    const ids: string[] = [];
    for (const text of ['A', 'B', 'C']) ids.unshift((await ada.deploy(fresh.id, { 'index.html': text })).body.id);
    const { body: all } = await ada.list(fresh.id);
    expect([all.items.map(({ id }) => id), all.next_cursor]).toEqual([ids, null]);
    const { body: first } = await ada.list(fresh.id, '?limit=2');
    const { body: second } = await ada.list(fresh.id, `?limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items]).toEqual(all.items);
    expect(second.next_cursor).toBeNull();
    for (const query of ['?limit=0', '?limit=x', '?cursor=x', '?page=2']) {
      expect([query, (await ada.list(fresh.id, query)).status]).toEqual([query, 400]);
    }
  });

  it('are archived with their app, and can still be read', async () => {
    const fresh = await ada.register();
    const { body: deploy } = await ada.deploy(fresh.id, SITE);
    await ada.send(fresh.id, 'no archive');
    expect((await ada.delete(fresh.id)).body).toMatchObject({ archived_deploys: 2 });
    expect((await ada.get(deploy.id)).body).toMatchObject({
      status: 'archived',
      archived_at: expect.any(String),
      file_count: 2,
    });
    expect((await ada.list(fresh.id)).body.items.map(({ status }) => status)).toEqual(['archived', 'archived']);
    const refused = await ada.activate(deploy.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'apps.deploy-not-ready']);
    expect((await ada.deploy(fresh.id, SITE)).body.code).toBe('apps.not-found');
  });

  it('are invisible to other organizations', async () => {
    const { body: deploy } = await ada.deploy(app.id, SITE);
    const refusals = await Promise.all([
      hank.deploy(app.id, SITE),
      hank.list(app.id),
      hank.rollBack(app.id),
      hank.get(deploy.id),
      hank.files(deploy.id),
      hank.activate(deploy.id),
      ada.get(ABSENT),
      ada.get('nonsense'),
      ada.files(ABSENT),
      ada.files('%00'),
      ada.activate("' or true --"),
      ada.deploy('nonsense', SITE),
      ada.list(ABSENT),
    ]);
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'apps.not-found'],
      [404, 'apps.not-found'],
      [404, 'apps.not-found'],
      ...Array<unknown>(6).fill([404, 'apps.deploy-not-found']),
      [404, 'apps.deploy-not-found'],
      [404, 'apps.deploy-not-found'],
      [404, 'apps.not-found'],
      [404, 'apps.not-found'],
    ]);
    expect((await call(`/api/deploys/${deploy.id}`)).status).toBe(401);
  });

  it('reject an invalid archive, and record the reasons', async () => {
    const fresh = await ada.register();
    const refused = await ada.send(fresh.id, await tarGz({ '../etc/passwd': 'x', 'A.txt': '1', 'a.txt': '2' }));
    expect([refused.status, refused.body.code]).toEqual([422, 'apps.archive-rejected']);
    expect(refused.body.errors?.map(({ field }) => field)).toEqual(expect.arrayContaining(['../etc/passwd']));
    const { items } = (await ada.list(fresh.id)).body;
    expect(items).toEqual([
      expect.objectContaining({ status: 'failed', error: expect.objectContaining({ code: 'rejected' }) }),
    ]);
    const { body: details } = await ada.get(items[0]?.id as string);
    expect([details.files, details.problems.map(({ path }) => path)]).toEqual([
      [],
      refused.body.errors?.map(({ field }) => field),
    ]);
    expect((await ada.app(fresh.id)).body).toMatchObject({ deploy_count: 0, active_deploy_id: null });
    const notReady = await ada.activate(items[0]?.id as string);
    expect([notReady.status, notReady.body.code]).toEqual([409, 'apps.deploy-not-ready']);
  });

  it('reject other media types and query parameters', async () => {
    for (const type of ['application/x-tar', 'application/octet-stream', 'multipart/form-data; boundary=x']) {
      expect([type, (await ada.send(app.id, 'x', { type })).status]).toEqual([type, 415]);
    }
    for (const query of ['?activate=yes', '?activate=', '?live=true']) {
      expect([query, (await ada.send(app.id, await tarGz(SITE), { query })).status]).toEqual([query, 400]);
    }
  });
});
