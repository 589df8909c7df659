import { randomUUID } from 'node:crypto';
import { type DeployProblem, START_PAGE } from '@homeport/apps/contracts';
import type { RecordedEvent } from '@homeport/organizations/server';
import type { BlobEncodings, NewBlob } from '../../../blobs/application/blob-ledger.port';
import type { BranchAlias } from '../../../deploys/application/alias-repository.port';
import type { ReadyDeploy } from '../../../deploys/application/deploy-repository.port';
import {
  type DnsLease,
  retryDelayOf,
  isOutcomeUnknown,
  type SyncOutcome,
} from '../../../dns/application/dns-ledger.port';
import type { DomainClaimRecord } from '../../../domains/application/domain-claim-repository.port';
import type { SealedVariable } from '../../../environment/application/environment-repository.port';
import type { StoredResponse } from '../../../registry/application/idempotency-keys.port';
import type { AppFacts } from '../../../registry/domain/app';
import type { ActiveDeployRecord } from '../../../registry/domain/app-record';
import type { ManifestFile } from '../../../deploys/domain/site-manifest';
import type { DeployRecord } from '../../../deploys/domain/deploy-record';
import {
  BACKGROUND_LEASE_MS,
  type DnsRecord,
  type DnsState,
  RECORD_QUARANTINE_MS,
  REQUEST_LEASE_MS,
  sendDeadline,
  TTL_SECONDS,
} from '../../../dns/domain/dns-record';
import type { FormerOwner } from '../../../registry/domain/former-owner';
import type { RevisionScope, SiteRules } from '@homeport/hosting/contracts';

/** A row of the DNS ledger. */
export interface MemoryRecord extends DnsRecord {
  readonly organization: string | undefined;
  readonly error: DnsState['error'];
  readonly token: string | undefined;
  /** Milliseconds since 1970: until then, an unanswered change may still be applied. */
  readonly quarantinedUntil: number | undefined;
  readonly minTtl: number;
  /** Milliseconds since 1970; the end of the lease while there is a token. */
  readonly dueAt: number | undefined;
  readonly changedAt: number;
}

/** A deploy with its contents. */
export interface MemoryDeploy extends Omit<DeployRecord, 'alias' | 'baseDomain' | 'firstLiveAt' | 'problemCount'> {
  readonly organization: string;
  /** Whose variables the start check uses; absent without a server. */
  readonly startScope?: RevisionScope;
  /** Milliseconds since 1970; undefined when no instance works on the deploy. */
  readonly leaseUntil: number | undefined;
  readonly files: ReadyDeploy['files'];
  readonly rules: SiteRules;
  readonly problems: readonly DeployProblem[];
}

/** A row of the blob ledger. */
export interface MemoryBlob extends NewBlob, BlobEncodings {
  readonly organization: string;
  readonly size: number;
  readonly state: 'storing' | 'stored' | 'removing';
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

export interface MemoryRelease {
  readonly appId: string;
  readonly deployId: string;
  /** Whether it was rolled back. */
  readonly isRolledBack: boolean;
  readonly at: Date;
}

export interface MemoryIdempotencyKey {
  readonly fingerprint: string;
  readonly appId?: string;
  readonly response?: StoredResponse;
}

/** A period in which an organization is charged for a domain. */
export interface MemoryDomainPeriod extends Pick<DomainClaimRecord, 'organization' | 'kind' | 'name'> {
  readonly claimId: string;
  readonly from: Date;
  readonly to?: Date;
}

/** Apps, deploys and both ledgers in memory, shared by the adapters of all these ports. Rows are immutable. */
export class InMemoryApps {
  /** By id, in the order of registration. */
  readonly apps = new Map<string, AppFacts>();
  /** By subdomain. */
  readonly records = new Map<string, MemoryRecord>();
  /** By subdomain; only names without an app. */
  readonly formerOwners = new Map<string, Omit<FormerOwner, 'laterReleases'>>();
  /** By id, in the order in which they began. */
  readonly deploys = new Map<string, MemoryDeploy>();
  /** The number of the last deploy, by app. */
  readonly lastNumbers = new Map<string, number>();
  /** By id, in order. */
  readonly releases = new Map<string, MemoryRelease>();
  /** By deploy. */
  readonly manifests = new Map<string, readonly ManifestFile[]>();
  /** By label. */
  readonly aliases = new Map<string, BranchAlias>();
  /** By id. */
  readonly blobs = new Map<string, MemoryBlob>();
  /** By organization and key. */
  readonly idempotencyKeys = new Map<string, MemoryIdempotencyKey>();
  /** By app and name. */
  readonly variables = new Map<string, SealedVariable & { readonly updatedAt: Date }>();
  /** By id. */
  readonly domainClaims = new Map<string, DomainClaimRecord>();
  /** By order. */
  readonly domainPeriods = new Map<string, MemoryDomainPeriod>();
  /** By app; absent while it is 1. */
  readonly runtimeVersions = new Map<string, number>();
  /** By id, in order. */
  readonly auditEvents = new Map<string, RecordedEvent>();
  #lastChange: Promise<unknown> = Promise.resolve();

  /** Runs the work on a copy of all rows. Applies its changes when it succeeds, and none of them when it throws. */
  transaction<T>(work: (copy: InMemoryApps) => Promise<T>): Promise<T> {
    return this.exclusively(async () => {
      const before = this.#tables().map((table) => new Map(table));
      const copy = new InMemoryApps();
      copy.#tables().forEach((table, i) => before[i]?.forEach((row, id) => table.set(id, row)));
      const result = await work(copy);
      copy.#tables().forEach((table, i) => this.#apply(i, before[i] ?? new Map(), table));
      return result;
    });
  }

  /** Runs a change of rows that transactions change too, after the earlier ones. */
  exclusively<T>(change: () => T | Promise<T>): Promise<T> {
    const result = this.#lastChange.then(change);
    this.#lastChange = result.catch(() => undefined);
    return result;
  }

  #tables(): readonly Map<string, unknown>[] {
    const { apps, records, formerOwners, deploys, lastNumbers, releases, aliases, blobs, idempotencyKeys } = this;
    const { manifests, auditEvents, variables, runtimeVersions, domainClaims, domainPeriods } = this;
    const deployTables = [deploys, lastNumbers, releases, manifests, aliases, blobs];
    const settings = [variables, runtimeVersions, domainClaims, domainPeriods];
    return [apps, records, formerOwners, ...deployTables, idempotencyKeys, auditEvents, ...settings];
  }

  /** Applies the differences between two states of a table. */
  #apply(index: number, before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): void {
    const table = this.#tables()[index];
    for (const [id, row] of after) if (before.get(id) !== row) table?.set(id, row);
    for (const id of before.keys()) if (!after.has(id)) table?.delete(id);
  }

  /** Archives deploys. @returns how many. */
  archive(deploys: readonly MemoryDeploy[]): number {
    const archived = { status: 'archived', archivedAt: new Date(), leaseUntil: undefined } as const;
    for (const deploy of deploys) this.deploys.set(deploy.id, { ...deploy, ...archived });
    return deploys.length;
  }

  /** Newest first. */
  deploysOf(appId: string): MemoryDeploy[] {
    return [...this.deploys.values()].filter((deploy) => deploy.appId === appId).toReversed();
  }

  activeDeployOf({ activeDeployId }: AppFacts): ActiveDeployRecord | undefined {
    const deploy = this.deploys.get(activeDeployId ?? '');
    if (!deploy) return undefined;
    const { number, createdAt, createdBy, problems } = deploy;
    const hasStartPage = !problems.some(({ path, line }) => path === START_PAGE && line === null);
    return { number, createdAt, createdBy, problemCount: problems.length, hasStartPage };
  }

  /** See `ReleaseRepository.rollbackTargetOf`. */
  rollbackTargetOf(appId: string, activeDeployId: string | null): string | undefined {
    return [...this.releases.values()].findLast(
      (release) =>
        release.appId === appId &&
        !release.isRolledBack &&
        release.deployId !== activeDeployId &&
        this.deploys.get(release.deployId)?.status === 'ready',
    )?.deployId;
  }

  dnsOf(subdomain: string): DnsState {
    const record = this.records.get(subdomain);
    return {
      state: record?.state ?? 'pending',
      error: record?.error,
      attempts: record?.attempts ?? 0,
      nextAttemptAt: record?.token === undefined && record?.dueAt !== undefined ? new Date(record.dueAt) : undefined,
    };
  }

  isFree({ token, dueAt = 0 }: MemoryRecord): boolean {
    return token === undefined || dueAt <= Date.now();
  }

  acquireLease(record: MemoryRecord, isForRequest: boolean): DnsLease {
    const leaseMs = isForRequest ? REQUEST_LEASE_MS : BACKGROUND_LEASE_MS;
    const token = randomUUID();
    const leased = { ...record, ...(record.token !== undefined && quarantined(record, true)) };
    this.change(leased, { token, dueAt: Date.now() + leaseMs });
    return { ...leased, token, sendDeadline: sendDeadline(performance.now(), leaseMs) };
  }

  change(record: MemoryRecord, change: Partial<MemoryRecord>): void {
    this.records.set(record.subdomain, { ...record, ...change, changedAt: Date.now() });
  }

  recordOutcome(lease: DnsLease, outcome: SyncOutcome): DnsState | undefined {
    const record = this.records.get(lease.subdomain);
    if (record?.token !== lease.token) return undefined;
    const known = 'record' in outcome ? outcome.record : record.known;
    const isSuperseded = record.appId !== lease.appId;
    const quarantine = isOutcomeUnknown(outcome) && quarantined(record, isSuperseded || lease.appId === undefined);
    const free = { known, token: undefined, changeId: undefined, error: undefined, ...quarantine };
    const afterMs = retryDelayOf(outcome);
    const dueAt = afterMs === undefined ? undefined : Date.now() + afterMs;
    if (isSuperseded) {
      this.change(record, { ...free, state: 'pending', attempts: 0, dueAt: Date.now() });
      return undefined;
    }
    const isQuarantined = record.quarantinedUntil !== undefined && record.quarantinedUntil > Date.now();
    if (outcome.state === 'settled' && lease.appId === undefined) {
      if (!isQuarantined) this.records.delete(lease.subdomain);
      else {
        const vacant = {
          organization: undefined,
          state: 'settled',
          attempts: 0,
          dueAt: record.quarantinedUntil,
        } as const;
        this.change(record, { ...free, ...vacant });
      }
      return undefined;
    }
    const { state } = outcome;
    this.change(record, {
      ...free,
      state,
      attempts: attemptsAfter(record, outcome),
      dueAt: dueAt ?? (outcome.state === 'settled' && isQuarantined ? record.quarantinedUntil : undefined),
      ...(outcome.state === 'settled' && !isQuarantined && NOT_QUARANTINED),
      ...(outcome.state === 'syncing' && { changeId: outcome.changeId }),
      ...(outcome.state === 'failed' && { error: outcome.error }),
    });
    return this.dnsOf(lease.subdomain);
  }
}

/** Values of a name without pending changes at the provider. */
export const NOT_QUARANTINED = { quarantinedUntil: undefined, minTtl: TTL_SECONDS };

function quarantined({ minTtl, known }: MemoryRecord, isRemoved: boolean): Partial<MemoryRecord> {
  const longer = Math.max(minTtl, known?.ttl ?? 0) + 1;
  return { quarantinedUntil: Date.now() + RECORD_QUARANTINE_MS, ...(isRemoved && { minTtl: longer }) };
}

function attemptsAfter({ state, attempts }: MemoryRecord, outcome: SyncOutcome): number {
  if (outcome.state === 'settled') return 0;
  if (outcome.state === 'pending') return attempts;
  return outcome.state === state ? attempts + 1 : 1;
}
