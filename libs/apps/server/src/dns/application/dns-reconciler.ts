import {
  type DnsErrorCode,
  type DnsState,
  isRetryable,
  recoveryDelayMs,
  retryDelayMs,
  syncDelayMs,
} from '../domain/dns-record';
import type { HostnamePolicy } from '../../shared/domain/hostname-policy';
import { type DnsLease, retryDelayOf, type DnsLedger, type SyncOutcome } from './dns-ledger.port';
import { DnsFailure, type DnsZone } from './dns-zone.port';
import { WriteNotStarted, type DesiredRecord, type WriteResult, ZoneWriter } from './zone-writer';

const REQUEST_TIMEOUT_MS = 4_000;
/** The timeout of background work; shorter than its leases. */
const BACKGROUND_TIMEOUT_MS = 20_000;
const LEASES_PER_BATCH = 500;
/** The delay before an active record is checked again when there was no time to check it. */
const RECHECK_MS = 5_000;

export interface DnsReconcilerDependencies {
  readonly ledger: DnsLedger;
  readonly zone: DnsZone;
  readonly hostnames: HostnamePolicy;
}

/** The total time that a request waits for a record, from now on. */
export function requestTimeoutSignal(): AbortSignal {
  return AbortSignal.timeout(REQUEST_TIMEOUT_MS);
}

/** Brings the records of the zone to the desired state of the ledger. */
export class DnsReconciler {
  readonly #requestWriter: ZoneWriter;
  /** Separate, so that no request waits for a batch of retries: after an outage, one takes many calls. */
  readonly #backgroundWriter: ZoneWriter;

  constructor(private readonly dependencies: DnsReconcilerDependencies) {
    this.#requestWriter = new ZoneWriter(dependencies.zone);
    this.#backgroundWriter = new ZoneWriter(dependencies.zone);
  }

  /**
   * Writes the record of a lease while a request waits. The caller records the outcome.
   * @param signal aborted when the request stops waiting.
   */
  apply(lease: DnsLease, signal: AbortSignal): Promise<SyncOutcome> {
    return this.#write(this.#requestWriter, lease, signal);
  }

  /** Removes the record of a lease while a request waits. The caller records the outcome. */
  remove(lease: DnsLease, signal: AbortSignal): Promise<SyncOutcome> {
    return this.apply({ ...lease, appId: undefined }, signal);
  }

  /** Schedules the work that a request is about to begin, in case its process ends first. */
  scheduleRecovery(): Promise<void> {
    return this.dependencies.ledger.scheduleReconciliation(recoveryDelayMs());
  }

  /** Records an outcome, and schedules a reconciliation when the work is unfinished. */
  async recordOutcome(lease: DnsLease, outcome: SyncOutcome): Promise<DnsState | undefined> {
    const dnsState = await this.dependencies.ledger.recordOutcome(lease, outcome);
    const afterMs = retryDelayOf(outcome);
    if (afterMs !== undefined) await this.dependencies.ledger.scheduleReconciliation(afterMs);
    return dnsState;
  }

  /** Reconciles all due records. */
  async reconcile(): Promise<void> {
    const { ledger } = this.dependencies;
    for (;;) {
      const leases = await ledger.acquireDueLeases(LEASES_PER_BATCH);
      if (leases.length === 0) return;
      const checks = new SyncChecks(this.dependencies.zone);
      const delays = await Promise.all(leases.map((lease) => this.#reconcileOne(lease, checks)));
      await Promise.all(delays.map((afterMs) => afterMs !== undefined && ledger.scheduleReconciliation(afterMs)));
    }
  }

  /** @returns milliseconds until the record is due again; undefined when it is not. */
  async #reconcileOne(lease: DnsLease, checks: SyncChecks): Promise<number | undefined> {
    const isSyncing = lease.state === 'syncing' && lease.appId !== undefined;
    const signal = AbortSignal.timeout(BACKGROUND_TIMEOUT_MS);
    const outcome = isSyncing
      ? await this.#checkSync(lease, checks)
      : await this.#write(this.#backgroundWriter, lease, signal);
    await this.dependencies.ledger.recordOutcome(lease, outcome);
    return retryDelayOf(outcome);
  }

  async #checkSync(lease: DnsLease, checks: SyncChecks): Promise<SyncOutcome> {
    const { changeId, known, attempts } = lease;
    if (changeId === undefined || known === undefined) return { state: 'settled', record: known };
    const result = await checks.check(changeId);
    // Stop polling when access is denied.
    if (result instanceof DnsFailure && !isRetryable(result.code)) return failureOf(lease, result);
    if (result === true) return { state: 'settled', record: known };
    return { state: 'syncing', record: known, changeId, afterMs: syncDelayMs(attempts) };
  }

  async #write(writer: ZoneWriter, lease: DnsLease, signal: AbortSignal): Promise<SyncOutcome> {
    try {
      return outcomeOf(await writer.write(this.#desiredRecordOf(lease), signal));
    } catch (error) {
      const isThrottled = error instanceof DnsFailure && error.code === 'throttled';
      const isUnchecked = isThrottled || error instanceof WriteNotStarted;
      // The check did not happen, so the last known state of an active record still counts.
      if (isUnchecked && wasInSync(lease)) return { state: 'settled', record: lease.known, afterMs: RECHECK_MS };
      return error instanceof WriteNotStarted ? { state: 'pending', afterMs: 0 } : failureOf(lease, error);
    }
  }

  #desiredRecordOf({ subdomain, appId, known, minTtl, sendDeadline }: DnsLease): DesiredRecord {
    const { hostnames } = this.dependencies;
    const target = hostnames.cdnHostname;
    return {
      hostname: hostnames.hostnameOf(subdomain),
      ...(appId !== undefined && { desired: { target, ttl: minTtl } }),
      ...(known && { known }),
      isManaged: (other) => other === target || other === known?.target,
      sendDeadline,
    };
  }
}

/** Whether a record had its desired state at the last check. */
function wasInSync({ state, appId, known }: DnsLease): boolean {
  return state === 'settled' && appId !== undefined && known !== undefined;
}

/** Checks each change once, although many records may wait for it. */
class SyncChecks {
  readonly #results = new Map<string, Promise<unknown>>();

  constructor(private readonly zone: DnsZone) {}

  /** @returns whether a change is visible everywhere, or the error of the check. */
  check(changeId: string): Promise<unknown> {
    const known = this.#results.get(changeId);
    if (known) return known;
    const result = this.zone.isInSync(changeId, requestTimeoutSignal()).catch((error: unknown) => error);
    this.#results.set(changeId, result);
    return result;
  }
}

/** A removal is finished as soon as the provider has accepted it. */
function outcomeOf({ record, changeId }: WriteResult): SyncOutcome {
  if (record === undefined || changeId === undefined) return { state: 'settled', record };
  return { state: 'syncing', record, changeId, afterMs: syncDelayMs(0) };
}

/** A removal is retried after any error, because no user requests it again. */
function failureOf({ appId, state, attempts }: DnsLease, error: unknown): SyncOutcome {
  const code: DnsErrorCode = error instanceof DnsFailure ? error.code : 'provider-unavailable';
  const failures = (state === 'failed' ? attempts : 0) + 1;
  const isRetried = appId === undefined || isRetryable(code);
  return {
    state: 'failed',
    error: code,
    ...(isRetried && { afterMs: retryDelayMs(failures, Math.random()) }),
  };
}
