import type { EntityManager } from 'typeorm';
import { FORMER_OWNER_DAYS, type NameQuarantine } from '../../domain/registry/former-owner';

/**
 * Whether the name of row `f` is in quarantine for organization $2: for $3 days after its release, while it is one of
 * the last $4 names that its organization released.
 */
const IN_QUARANTINE = `f.organization <> $2 and $3 > 0
  and f.released_at > clock_timestamp() - make_interval(days => $3)
  and $4 > (select count(*) from (
    select 1 from apps.former_owners later
    where later.organization = f.organization and later.released_at > f.released_at limit $4) released_later)`;

/** A name that an organization wants to register. */
export interface NameRequest {
  readonly subdomain: string;
  readonly organization: string;
  readonly quarantine: NameQuarantine;
}

/** Deletes an app and records the former owner of its name. @returns whether the organization had the app. */
export async function deleteApp(manager: EntityManager, id: string, organization: string): Promise<boolean> {
  const recorded = await manager.query<unknown[]>(
    `with deleted as (
       delete from apps.apps where id = $1 and organization = $2 returning subdomain, organization, clears_data_until)
     insert into apps.former_owners (subdomain, organization, clears_data_until) select * from deleted
     on conflict (subdomain) do update
     set organization = excluded.organization, released_at = excluded.released_at,
         clears_data_until = excluded.clears_data_until
     returning 1`,
    [id, organization],
  );
  return recorded.length > 0;
}

/**
 * Transfers a name to an app that was inserted in the same transaction. The insert has waited for a concurrent
 * deletion, so this statement sees the former owner that the deletion recorded.
 * @returns whether the organization can register the name.
 */
export async function transferName(manager: EntityManager, appId: string, request: NameRequest): Promise<boolean> {
  const { subdomain, organization, quarantine } = request;
  const [former] = await manager.query<{ in_quarantine: boolean; is_other: boolean; clears_data_until: Date | null }[]>(
    `select ${IN_QUARANTINE} as in_quarantine, organization <> $2 as is_other, clears_data_until
     from apps.former_owners f where subdomain = $1`,
    [subdomain, organization, quarantine.days, quarantine.maxNames],
  );
  if (!former) return true;
  if (former.in_quarantine) return false;
  await manager.query('delete from apps.former_owners where subdomain = $1', [subdomain]);
  await manager.query(
    `update apps.apps set clears_data_until =
       case when $2 then clock_timestamp() + make_interval(days => ${FORMER_OWNER_DAYS}) else $3::timestamptz end
     where id = $1`,
    [appId, former.is_other, former.clears_data_until],
  );
  return true;
}

export async function isInQuarantine(manager: EntityManager, request: NameRequest): Promise<boolean> {
  const { subdomain, organization, quarantine } = request;
  const found = await manager.query<unknown[]>(
    `select 1 from apps.former_owners f where subdomain = $1 and ${IN_QUARANTINE}`,
    [subdomain, organization, quarantine.days, quarantine.maxNames],
  );
  return found.length > 0;
}

/** Removes former owners that neither the quarantine nor the clearing of browser data needs any more. */
export async function purgeFormerOwners(manager: EntityManager, quarantineDays: number): Promise<void> {
  await manager.query(
    'delete from apps.former_owners where released_at < clock_timestamp() - make_interval(days => $1)',
    [Math.max(quarantineDays, FORMER_OWNER_DAYS)],
  );
}
