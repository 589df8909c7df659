import type { DeployActivation } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import type { AuditEvent } from '@homeport/organizations/server';
import type { DeployRecord } from '../../deploys/domain/deploy-record';
import { ActiveDeployNotDeletable, DeployNotReady, NothingToRollBack } from '../../deploys/domain/deploys.errors';
import { assertExpected, type ExpectedRelease } from '../../deploys/domain/expected-release';
import type { AppRecord } from './app-record';
import { SubdomainTaken } from './apps.errors';
import {
  DAY_MS,
  FORMER_OWNER_DAYS,
  isNameClosedTo,
  type NameHistory,
  type NameQuarantine,
  type NewFormerOwner,
} from './former-owner';

/** The stored values of an app. */
export interface AppFacts extends Omit<AppRecord, keyof AppRelations | 'runtime'> {
  /** Until this time browsers are told to clear data that another owner of the name stored. */
  readonly clearsDataUntil: Date | undefined;
  /** How many of its deploys were deleted after they had been active. */
  readonly deletedDeploys: number;
}

/** The values of an app that can change. Absent ones stay as they are. */
export type AppChanges = Partial<
  Pick<AppFacts, 'deployCount' | 'activeDeployId' | 'clearsDataUntil' | 'deletedDeploys'>
>;

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
  toFormerOwner(): NewFormerOwner {
    const { organization, subdomain, clearsDataUntil } = this.facts;
    return { organization, subdomain, clearsDataUntil };
  }

  /** Counts a deploy that has become ready, and activates it unless it is held back. */
  addDeploy(deployId: string, { activated }: Pick<DeployActivation, 'activated'>): AppChanges {
    return { deployCount: this.facts.deployCount + 1, ...(activated && { activeDeployId: deployId }) };
  }

  /**
   * Activates one of its deploys.
   * @returns no changes when the deploy is active already.
   * @throws {DeployNotReady}
   */
  activate({ id, status }: Pick<DeployRecord, 'id' | 'status'>): AppChanges {
    if (status !== 'ready') throw new DeployNotReady();
    return this.facts.activeDeployId === id ? {} : { activeDeployId: id };
  }

  /**
   * Rolls back from the active deploy to the rollback target.
   * @param target undefined when no deploy qualifies.
   * @param expected the state that the request expects.
   * @throws {ActiveDeployChanged} @throws {NothingToRollBack}
   */
  rollBack(target: string | undefined, { from, to }: ExpectedRelease): { readonly activeDeployId: string } {
    assertExpected(this.facts.activeDeployId, from);
    if (target === undefined) throw new NothingToRollBack();
    assertExpected(target, to);
    return { activeDeployId: target };
  }

  /** @throws {ActiveDeployNotDeletable} for the active deploy, in any spelling of its id. */
  assertDeletable(deployId: string): void {
    if (this.facts.activeDeployId === deployId.toLowerCase()) throw new ActiveDeployNotDeletable();
  }

  /** Counts a deleted deploy that was active before: edges compare the number to withdraw its hashed files. */
  countDeletedDeploy(): AppChanges {
    return { deletedDeploys: this.facts.deletedDeploys + 1 };
  }

  /** The app with its active deploy and the state of its DNS record. */
  toRecord(related: AppRelations): AppRecord {
    return { ...recordOf(this.facts), ...related };
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

/** What other tables say of an app. */
export type AppRelations = Pick<AppRecord, 'dns' | 'activeDeploy' | 'domains'>;

function recordOf({
  clearsDataUntil: _c,
  deletedDeploys: _d,
  ...record
}: AppFacts): Omit<AppRecord, keyof AppRelations | 'runtime'> {
  return record;
}
