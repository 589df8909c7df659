import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Machine, uniqueName } from './command-line';
import { PipelineIssuer } from './pipeline-issuer';

interface Created {
  readonly id: string;
  readonly token: string;
}

interface App {
  readonly id: string;
  readonly subdomain: string;
}

let ada: Machine;
let shop: App;
let other: App;

beforeAll(async () => {
  ada = await Machine.of('ada');
  shop = await ada.json<App>(['apps', 'register', uniqueName('Token shop')]);
  other = await ada.json<App>(['apps', 'register', uniqueName('Token other')]);
});

afterAll(async () => {
  for (const { id } of [shop, other]) await ada.run(['apps', 'delete', id, '--yes']);
  await ada.remove();
});

const deployTo = ({ subdomain }: App) => ['deploy', 'site', '--app', subdomain];

describe('a token of the organization', () => {
  it('deploys to its app only, until it is revoked', async () => {
    const create = ['tokens', 'create', 'pipeline', '--scope', 'deploys:write', '--app', shop.subdomain];
    const { id, token } = await ada.json<Created>([...create, '--expires-in-days', '1']);
    const robot = await Machine.create(token);
    try {
      await robot.write({ 'site/index.html': '<h1>Shop</h1>' });
      expect(await robot.run(deployTo(shop))).toMatchObject({ code: 0, stdout: expect.stringContaining('is live') });
      expect(await robot.run(deployTo(other))).toMatchObject({ code: 4 });
      expect(await robot.run(['files', 'ls'])).toMatchObject({ code: 4 });
      expect((await ada.run(['tokens', 'list'])).stdout).toContain(id);
      expect(await ada.run(['tokens', 'revoke', id])).toMatchObject({ code: 0 });
      // Servers may cache an accepted token for up to a second.
      let refused = await robot.run(['apps', 'show', shop.id]);
      while (refused.code === 0) refused = await robot.run(['apps', 'show', shop.id]);
      expect(refused).toMatchObject({ code: 3 });
    } finally {
      await robot.remove();
    }
  });
});

describe('a personal token', () => {
  it('reads the files of its folder', async () => {
    await ada.write({ 'note.txt': 'note' });
    await ada.run(['files', 'put', 'note.txt', `tokens-${process.pid}/in/`]);
    const create = ['tokens', 'create', 'reader', '--personal', '--scope', 'files:read'];
    const { token } = await ada.json<Created>([...create, '--prefix', `tokens-${process.pid}/in/`]);
    const reader = await Machine.create(token);
    try {
      expect(await reader.run(['files', 'cat', `tokens-${process.pid}/in/note.txt`])).toMatchObject({ stdout: 'note' });
      await reader.write({ 'new.txt': 'new' });
      expect(await reader.run(['files', 'put', 'new.txt', `tokens-${process.pid}/in/`])).toMatchObject({ code: 4 });
      expect(await ada.run(['files', 'cat', `tokens-${process.pid}/in/new.txt`])).toMatchObject({ code: 4 });
    } finally {
      await reader.remove();
    }
  });
});

describe('a pipeline', () => {
  const claims = { repository: 'acme/shop', ref: 'refs/heads/main' };

  it('signs in by its ID token and deploys without a stored secret', async () => {
    const [issuer, stranger] = await Promise.all([
      PipelineIssuer.start(claims),
      PipelineIssuer.start({ ...claims, repository: 'mallory/shop' }),
    ]);
    const robot = await Machine.create();
    try {
      for (const { url } of [issuer, stranger]) {
        const trust = ['trusts', 'create', shop.subdomain, '--issuer', url];
        expect(
          await ada.run([...trust, '--claim', 'repository=acme/shop', '--claim', 'ref=refs/heads/*']),
        ).toMatchObject({
          code: 0,
        });
      }
      const login = ['login', '--pipeline', '--app', shop.id];
      expect(await robot.run(login)).toMatchObject({ code: 2, stderr: expect.stringContaining('id-token: write') });
      expect(await robot.run(login, '', stranger.variables)).toMatchObject({ code: 3 });
      expect(await robot.run(login, '', issuer.variables)).toMatchObject({ code: 0 });
      await robot.write({ 'site/index.html': '<h1>From the pipeline</h1>' });
      expect(await robot.run(deployTo(shop))).toMatchObject({ code: 0 });
      expect((await ada.run(['trusts', 'list', shop.subdomain])).stdout).toContain('repository=acme/shop');
    } finally {
      await Promise.all([issuer.stop(), stranger.stop(), robot.remove()]);
    }
  });
});
