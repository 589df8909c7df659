import { beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { signIn } from '../homeport';
import { until } from '../suites';
import { DeployClient } from './deploy-client';
import { visit } from './visit';

const ABSENT = '00000000-0000-4000-8000-000000000000';
const site = (text: string) => ({ 'index.html': `<title>${text}</title>` });

describe('the alias of a branch', () => {
  let ada: DeployClient;
  let hank: DeployClient;
  let app: App;

  beforeAll(async () => {
    const [first, second] = await Promise.all([signIn('ada'), signIn('hank')]);
    [ada, hank] = [new DeployClient(first.token), new DeployClient(second.token)];
    app = await ada.register('Alias');
  });

  const query = (branch: string) => `?activate=false&branch=${encodeURIComponent(branch)}`;
  const deploy = async (text: string, branch: string) => (await ada.deploy(app.id, site(text), query(branch))).body;
  const aliasAddress = (label: string) => app.url.replace(app.subdomain, `pv--${label}--${app.subdomain}`);
  const shows = (url: string, text: string) => until(async () => (await visit(url)).body.includes(text));
  const answersNotFound = (url: string) => until(async () => (await visit(url)).status === 404);

  it('shows the newest deploy of the branch, with the headers of a preview', async () => {
    const first = await deploy('One', 'Feature/Log_in');
    const address = aliasAddress('feature-log-in');
    expect([first.alias_url, (await ada.get(first.id)).body.alias_url]).toEqual([address, address]);
    await shows(address, 'One');
    const second = await deploy('Two', 'Feature/Log_in');
    expect([second.alias_url, (await ada.get(first.id)).body.alias_url]).toEqual([address, null]);
    await shows(address, 'Two');
    const { headers } = await visit(address);
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'x-deploy-id': second.id });
    expect((await visit(first.url)).body).toContain('One');
    expect((await ada.app(app.id)).body.active_deploy_id).toBeNull();
  });

  it('is released on request, and taken again by the next deploy', async () => {
    const branch = 'release/ü 1.0';
    const { alias_url } = await deploy('Release', branch);
    expect(alias_url).toMatch(/^http:\/\/pv--release-1-0-[0-9a-f]{8}--/);
    await shows(alias_url as string, 'Release');
    for (const [client, id] of [
      [hank, app.id],
      [ada, ABSENT],
      [ada, 'nonsense'],
    ] as const) {
      const rejected = await client.releaseAlias(id, branch);
      expect([rejected.status, rejected.body?.code]).toEqual([404, 'apps.not-found']);
    }
    for (const name of [branch.replace('ü', '\0'), branch, branch, 'never deployed', 'x'.repeat(300), '\0']) {
      expect([name, (await ada.releaseAlias(app.id, name)).status]).toEqual([name, 204]);
    }
    await answersNotFound(alias_url as string);
    expect((await deploy('Again', branch)).alias_url).toBe(alias_url);
    await shows(alias_url as string, 'Again');
  });

  it('is released with its deploy and with the app', async () => {
    const { id, alias_url } = await deploy('Gone', 'gone');
    await shows(alias_url as string, 'Gone');
    expect((await ada.remove(id)).status).toBe(204);
    await answersNotFound(alias_url as string);
    const kept = await deploy('Kept', 'kept');
    await shows(kept.alias_url as string, 'Kept');
    await ada.delete(app.id);
    await answersNotFound(kept.alias_url as string);
    expect((await ada.get(kept.id)).body).toMatchObject({ status: 'archived', alias_url: null });
  });
});
