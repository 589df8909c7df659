import { describe, expect, it } from '@jest/globals';
import type { Member } from '@homeport/identity/contracts';
import type { AppRecord } from '../registry/domain/app-record';
import { AppNotFound } from '../registry/domain/apps.errors';
import { memberOf } from './app-fixture';
import { type DeployRepositoryHarness, readyDeploy } from './deploy-fixtures';

const ABSENT = '00000000-0000-4000-8000-000000000000';

let count = 0;
const fresh = (prefix: string) => `${prefix}-alias-${process.pid}-${count++}`;

/** The contract of every `AliasRepository` adapter, through the use cases that change aliases. */
export function branchAliasesContract(name: string, open: () => DeployRepositoryHarness): void {
  const register = async (member = memberOf(fresh('org'))): Promise<{ member: Member; app: AppRecord }> => {
    const { app } = await open().registry.register(member);
    return { member, app };
  };
  const begin = (member: Member, appId: string, branch: string) =>
    open().deploys.begin(member, appId, { branch, commit: null, message: null, url: null });
  const finish = (member: Member, { id }: { readonly id: string }) =>
    open().releases.finish(member, id, readyDeploy({ activation: 'never' }));
  const deploy = async (member: Member, appId: string, branch: string) =>
    finish(member, await begin(member, appId, branch));
  const aliasOf = async ({ organization }: Member, { id }: { readonly id: string }) =>
    (await open().deploys.find(organization, id))?.alias;

  describe(`${name} as a repository of branch aliases`, () => {
    it('moves the alias to the newest ready deploy of the branch', async () => {
      const { member, app } = await register();
      const label = `pv--feature-x--${app.subdomain}`;
      const begun = await begin(member, app.id, 'feature/x');
      expect(begun.alias).toBeUndefined();
      const first = await finish(member, begun);
      expect([first.alias, await aliasOf(member, first)]).toEqual([label, label]);
      const second = await deploy(member, app.id, 'feature/x');
      expect([await aliasOf(member, first), await aliasOf(member, second)]).toEqual([undefined, label]);
      const other = await deploy(member, app.id, 'main');
      expect([other.alias, await aliasOf(member, second)]).toEqual([`pv--main--${app.subdomain}`, label]);
    });

    it('does not move the alias back when an earlier upload ends later', async () => {
      const { member, app } = await register();
      const earlier = await begin(member, app.id, 'main');
      const later = await deploy(member, app.id, 'main');
      expect((await finish(member, earlier)).alias).toBeUndefined();
      expect(await aliasOf(member, later)).toBe(`pv--main--${app.subdomain}`);
    });

    it('releases the alias with its deploy, and does not return it to an earlier one', async () => {
      const { member, app } = await register();
      const [first, second] = [await deploy(member, app.id, 'main'), await deploy(member, app.id, 'main')];
      await open().releases.delete(member, second.id);
      expect(await aliasOf(member, first)).toBeUndefined();
      const third = await deploy(member, app.id, 'main');
      expect(third.alias).toBe(`pv--main--${app.subdomain}`);
    });

    it('releases the alias of one branch of one app', async () => {
      const { member, app } = await register();
      const { app: sibling } = await register(member);
      const [released, kept, other] = [
        await deploy(member, app.id, 'Feature/X'),
        await deploy(member, app.id, 'main'),
        await deploy(member, sibling.id, 'feature/x'),
      ];
      for (let i = 0; i < 2; i += 1) await open().releases.releaseAlias(member, app.id, 'feature-x');
      expect(await aliasOf(member, released)).toBeUndefined();
      expect([await aliasOf(member, kept), await aliasOf(member, other)]).toEqual([
        `pv--main--${app.subdomain}`,
        `pv--feature-x--${sibling.subdomain}`,
      ]);
      for (const id of [ABSENT, 'nonsense']) {
        await expect(open().releases.releaseAlias(member, id, 'main')).rejects.toBeInstanceOf(AppNotFound);
      }
      const stranger = memberOf(fresh('other'));
      await expect(open().releases.releaseAlias(stranger, app.id, 'main')).rejects.toBeInstanceOf(AppNotFound);
    });

    it('releases the aliases of a deleted app, and shows none of an archived deploy', async () => {
      const { member, app } = await register();
      const deployed = await deploy(member, app.id, 'main');
      await open().registry.remove(member, app);
      expect(await aliasOf(member, deployed)).toBeUndefined();
      const { app: next } = await register(member);
      const old = await deploy(member, next.id, 'main');
      await deploy(member, next.id, 'other');
      await open().deploys.archiveBeyond(1);
      expect(await aliasOf(member, old)).toBeUndefined();
    });
  });
}
