import type { Member } from '@homeport/identity/server';
import type { AuditEvent } from '@homeport/platform/server';
import type { DnsState } from '../dns/dns-record';
import type { AppRecord } from './app-record';
import { SubdomainTaken } from './apps.errors';
import {
  DAY_MS,
  FORMER_OWNER_DAYS,
  isNameClosedTo,
  type NameHistory,
  type NameQuarantine,
  type NameRelease,
} from './former-owner';

/** The stored values of an app. */
export interface AppFacts extends Omit<AppRecord, 'dns'> {
  /** Until this time browsers are told to clear data that another owner of the name stored. */
  readonly clearsDataUntil: Date | undefined;
}

/** The values of an app that can change. Absent ones stay as they are. */
export type AppChanges = Partial<Pick<AppFacts, 'deployCount' | 'activeDeployId' | 'clearsDataUntil'>>;

/** An app with its rules. It is immutable: methods return the changes, and the use case stores them. */
export class App {
  constructor(readonly facts: AppFacts) {}

  get id(): string {
    return this.facts.id;
  }

  get subdomain(): AppFacts['subdomain'] {
    return this.facts.subdomain;
  }

  /**
   * Takes the name over from its former owner.
   * @param history the past of the name, read after the app was added.
   * @throws {SubdomainTaken} when the name is closed to the organization of the app.
   */
  takeOverName(history: NameHistory, quarantine: NameQuarantine): AppChanges {
    const { organization, subdomain } = this.facts;
    if (isNameClosedTo(organization, history, quarantine)) throw new SubdomainTaken(subdomain);
    const { formerOwner, readAt } = history;
    if (!formerOwner) return {};
    // An organization that registers its own name again keeps the deadline of an earlier owner.
    if (formerOwner.organization === organization) return { clearsDataUntil: formerOwner.clearsDataUntil };
    return { clearsDataUntil: new Date(readAt.getTime() + FORMER_OWNER_DAYS * DAY_MS) };
  }

  /** What remains of the name when the app is deleted. */
  releaseName(): NameRelease {
    const { organization, subdomain, clearsDataUntil } = this.facts;
    return { organization, subdomain, clearsDataUntil };
  }

  /** The app with the state of its DNS record. */
  toRecord(dns: DnsState): AppRecord {
    const { clearsDataUntil: _, ...record } = this.facts;
    return { ...record, dns };
  }
}

/** The audit event of an action on an app. */
export function appEvent(
  actor: Member,
  action: 'apps.registered' | 'apps.dns-retried' | 'apps.deleted',
  { id, organization, name, subdomain }: Pick<AppFacts, 'id' | 'organization' | 'name' | 'subdomain'>,
): AuditEvent {
  return { organization, actor, action, target: id, detail: { name, subdomain } };
}
