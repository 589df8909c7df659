import { describe, expect, it } from '@jest/globals';
import type { AuditTrail } from '../application/audit-trail.port';
import { SYSTEM_ACTOR } from '../domain/audit-event';

let count = 0;

/** The contract of every `AuditTrail` adapter. */
export function auditTrailContract(name: string, open: () => AuditTrail): void {
  const newOrganization = () => `organization-${process.pid}-${count++}`;
  const actor = { issuer: 'https://sign-in.example', subject: 'ada' };

  async function recordTo(organization: string, ...targets: readonly string[]): Promise<void> {
    for (const target of targets) {
      await open().record({
        organization,
        actor,
        action: 'apps.registered',
        target,
        detail: { name: `App ${target}` },
      });
    }
  }

  describe(`${name} as an audit trail`, () => {
    it('lists the events of an organization with their details, newest first', async () => {
      const [organization, other] = [newOrganization(), newOrganization()];
      await recordTo(organization, 'one');
      await recordTo(other, 'foreign');
      await recordTo(organization, 'two');
      const events = await open().list(organization, { limit: 10 });
      const event = {
        organization,
        actor: { ...actor, name: 'person:ada' },
        action: 'apps.registered',
        id: expect.any(String),
        at: expect.any(Date),
      };
      expect(events).toEqual([
        { ...event, target: 'two', detail: { name: 'App two' } },
        { ...event, target: 'one', detail: { name: 'App one' } },
      ]);
      expect(await open().list(newOrganization(), { limit: 10 })).toEqual([]);
    });

    it('names tokens and pipelines', async () => {
      const organization = newOrganization();
      const event = { organization, action: 'apps.registered', target: 'one', detail: {} };
      for (const kind of ['organization', 'personal', 'ci'] as const) {
        await open().record({
          ...event,
          actor: { ...actor, grant: { kind, id: `of-${kind}`, scopes: ['apps:write'] } },
        });
      }
      const names = (await open().list(organization, { limit: 10 })).map((each) => each.actor.name);
      expect(names).toEqual(['ci:of-ci', 'token:of-personal', 'token:of-organization']);
    });

    it('names the system, which no person can be taken for', async () => {
      const organization = newOrganization();
      const event = { organization, action: 'apps.domain-released', target: 'one', detail: {} };
      const { issuer, subject } = SYSTEM_ACTOR;
      await open().record({ ...event, actor: { issuer, subject } });
      await open().record({ ...event, actor: SYSTEM_ACTOR });
      const actors = (await open().list(organization, { limit: 10 })).map(({ actor: recorded }) => recorded);
      expect(actors).toEqual([
        { issuer: 'homeport', subject: 'system', name: 'system' },
        { issuer: 'homeport', subject: 'system', name: 'person:system' },
      ]);
    });

    it('lists one page after the other', async () => {
      const organization = newOrganization();
      await recordTo(organization, 'one', 'two', 'three');
      const first = await open().list(organization, { limit: 2 });
      expect(first.map(({ target }) => target)).toEqual(['three', 'two']);
      const before = first.at(-1)?.id ?? '';
      expect((await open().list(organization, { limit: 2, before })).map(({ target }) => target)).toEqual(['one']);
    });
  });
}
