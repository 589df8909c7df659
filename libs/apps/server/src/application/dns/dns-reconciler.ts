import { type DnsErrorCode, type DnsState, isRetryable, retryDelayMs, syncDelayMs } from '../../domain/dns/dns-record';
import type { HostnamePolicy } from '../../domain/hostname-policy';
import { type DnsLease, retryDelayOf, type DnsLedger, type SyncOutcome } from './dns-ledger.port';
import { DnsFailure, type DnsZone } from './dns-zone.port';
import { WriteNotStarted, type DesiredRecord, type WriteResult, type ZoneWriter } from './zone-writer';

const REQUEST_TIMEOUT_MS = 4_000;
/** How long work in the background waits; claims last longer. */
const BACKGROUND_TIMEOUT_MS = 20_000;
const LEASES_PER_BATCH = 500;
/** When a record that stands is checked again that nobody had time to check. */
const RECHECK_MS = 5_000;

export interface DnsReconcilerTools {
  readonly ledger: DnsLedger;
  readonly zone: DnsZone;
  readonly writer: ZoneWriter;
  readonly platform: HostnamePolicy;
}

/** How long a person waits for a record, from now, whatever it is that takes the time. */
export function requestTimeoutSignal(): AbortSignal {
  return AbortSignal.timeout(REQUEST_TIMEOUT_MS);
}

/** Keeps the records of the zone what the ledger wants them to be. */
export class DnsReconciler {
  constructor(private readonly tools: DnsReconcilerTools) {}

  /**
   * Does what a claim is for, while a person waits, and says what came of it; it is not written down yet.
   * @param patience raised when the person waits no longer.
   */
  apply(claim: DnsLease, patience: AbortSignal): Promise<SyncOutcome> {
    return this.#write(claim, patience);
  }

  /** The same for a record that is about to be wanted no more. */
  remove(claim: DnsLease, patience: AbortSignal): Promise<SyncOutcome> {
    return this.apply({ ...claim, appId: undefined }, patience);
  }

  /** Writes down what came of a claim, and has it looked after when it is not over. */
  async recordOutcome(claim: DnsLease, outcome: SyncOutcome): Promise<DnsState | undefined> {
    const shown = await this.tools.ledger.recordOutcome(claim, outcome);
    const afterMs = retryDelayOf(outcome);
    if (afterMs !== undefined) await this.tools.ledger.scheduleReconciliation(afterMs);
    return shown;
  }

  /** Works on every record that is due. */
  async reconcile(): Promise<void> {
    const { ledger } = this.tools;
    for (;;) {
      const claims = await ledger.acquireDueLeases(LEASES_PER_BATCH);
      if (claims.length === 0) return;
      const looks = new SyncChecks(this.tools.zone);
      const delays = await Promise.all(claims.map((claim) => this.#keep(claim, looks)));
      await Promise.all(delays.map((afterMs) => afterMs !== undefined && ledger.scheduleReconciliation(afterMs)));
    }
  }

  /** @returns milliseconds until it has to be worked on again; undefined when it has not. */
  async #keep(claim: DnsLease, looks: SyncChecks): Promise<number | undefined> {
    const isSyncing = claim.state === 'syncing' && claim.appId !== undefined;
    const signal = AbortSignal.timeout(BACKGROUND_TIMEOUT_MS);
    const outcome = isSyncing ? await this.#look(claim, looks) : await this.#write(claim, signal);
    await this.tools.ledger.recordOutcome(claim, outcome);
    return retryDelayOf(outcome);
  }

  async #look(claim: DnsLease, looks: SyncChecks): Promise<SyncOutcome> {
    const { changeId, known, attempts } = claim;
    if (changeId === undefined || known === undefined) return { state: 'settled', now: known };
    const answer = await looks.check(changeId);
    // Who may never look would look for ever.
    if (answer instanceof DnsFailure && !isRetryable(answer.code)) return failureOf(claim, answer);
    if (answer === true) return { state: 'settled', now: known };
    return { state: 'syncing', now: known, changeId, afterMs: syncDelayMs(attempts) };
  }

  async #write(claim: DnsLease, signal: AbortSignal): Promise<SyncOutcome> {
    try {
      return outcomeOf(await this.tools.writer.write(this.#wishOf(claim), signal));
    } catch (error) {
      const isUnheard = error instanceof WriteNotStarted || (error instanceof DnsFailure && error.code === 'throttled');
      // Nobody has said anything against a record that stands.
      if (isUnheard && wasInSync(claim)) return { state: 'settled', now: claim.known, afterMs: RECHECK_MS };
      return error instanceof WriteNotStarted ? { state: 'pending', afterMs: 0 } : failureOf(claim, error);
    }
  }

  #wishOf({ subdomain, appId, known, minTtl, endsAt }: DnsLease): DesiredRecord {
    const { platform } = this.tools;
    const target = platform.cdnHostname;
    return {
      hostname: platform.hostnameOf(subdomain),
      ...(appId !== undefined && { wanted: { target, ttl: minTtl } }),
      ...(known && { known }),
      isOurs: (other) => other === target || other === known?.target,
      endsAt,
    };
  }
}

/** Whether a record was as wanted when we last knew. */
function wasInSync({ state, appId, known }: DnsLease): boolean {
  return state === 'settled' && appId !== undefined && known !== undefined;
}

/** Many records wait for one change: it is asked for once. */
class SyncChecks {
  readonly #answers = new Map<string, Promise<unknown>>();

  constructor(private readonly zone: DnsZone) {}

  /** True when a change is visible everywhere; or why nobody can tell. */
  check(changeId: string): Promise<unknown> {
    const known = this.#answers.get(changeId);
    if (known) return known;
    const answer = this.zone.isInSync(changeId, requestTimeoutSignal()).catch((error: unknown) => error);
    this.#answers.set(changeId, answer);
    return answer;
  }
}

/** A removal that the provider has taken needs no more looking after. */
function outcomeOf({ now, changeId }: WriteResult): SyncOutcome {
  if (now === undefined || changeId === undefined) return { state: 'settled', now };
  return { state: 'syncing', now, changeId, afterMs: syncDelayMs(0) };
}

/** What nobody wants is tried again whatever went wrong: no person will ask for it. */
function failureOf({ appId, state, attempts }: DnsLease, error: unknown): SyncOutcome {
  const code: DnsErrorCode = error instanceof DnsFailure ? error.code : 'provider-unavailable';
  const failed = (state === 'failed' ? attempts : 0) + 1;
  const isRepeated = appId === undefined || isRetryable(code);
  return {
    state: 'failed',
    error: code,
    ...(isRepeated && { afterMs: retryDelayMs(failed, Math.random()) }),
  };
}
