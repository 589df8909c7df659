import { type DnsErrorCode, type DnsState, isRetryable, retryDelayMs, syncDelayMs } from '../../domain/dns/dns-record';
import type { PlatformDomain } from '../../domain/platform-domain';
import { type Claim, delayOf, type DnsLedger, type Settlement } from './dns-ledger.port';
import { DnsFailure, type DnsZone } from './dns-zone.port';
import { NotBegun, type RecordWish, type RecordWritten, type ZoneWriter } from './zone-writer';

const REQUEST_LIMIT_MS = 4_000;
/** How long work in the background waits; claims last longer. */
const BACKGROUND_LIMIT_MS = 20_000;
const MOST_AT_ONCE = 500;
/** When a record that stands is checked again that nobody had time to check. */
const CHECK_AGAIN_MS = 5_000;

export interface KeeperTools {
  readonly ledger: DnsLedger;
  readonly zone: DnsZone;
  readonly writer: ZoneWriter;
  readonly platform: PlatformDomain;
}

/** How long a person waits for a record, from now, whatever it is that takes the time. */
export function requestPatience(): AbortSignal {
  return AbortSignal.timeout(REQUEST_LIMIT_MS);
}

/** Keeps the records of the zone what the ledger wants them to be. */
export class DnsKeeper {
  constructor(private readonly tools: KeeperTools) {}

  /**
   * Does what a claim is for, while a person waits, and says what came of it; it is not written down yet.
   * @param patience raised when the person waits no longer.
   */
  work(claim: Claim, patience: AbortSignal): Promise<Settlement> {
    return this.#write(claim, patience);
  }

  /** The same for a record that is about to be wanted no more. */
  unmake(claim: Claim, patience: AbortSignal): Promise<Settlement> {
    return this.work({ ...claim, appId: undefined }, patience);
  }

  /** Writes down what came of a claim, and has it looked after when it is not over. */
  async settle(claim: Claim, settlement: Settlement): Promise<DnsState | undefined> {
    const shown = await this.tools.ledger.settle(claim, settlement);
    const afterMs = delayOf(settlement);
    if (afterMs !== undefined) await this.tools.ledger.wakeAfter(afterMs);
    return shown;
  }

  /** Works on every record that is due. */
  async reconcile(): Promise<void> {
    const { ledger } = this.tools;
    for (;;) {
      const claims = await ledger.claimDue(MOST_AT_ONCE);
      if (claims.length === 0) return;
      const looks = new Looks(this.tools.zone);
      const delays = await Promise.all(claims.map((claim) => this.#keep(claim, looks)));
      await Promise.all(delays.map((afterMs) => afterMs !== undefined && ledger.wakeAfter(afterMs)));
    }
  }

  /** @returns milliseconds until it has to be worked on again; undefined when it has not. */
  async #keep(claim: Claim, looks: Looks): Promise<number | undefined> {
    const isSyncing = claim.state === 'syncing' && claim.appId !== undefined;
    const signal = AbortSignal.timeout(BACKGROUND_LIMIT_MS);
    const settlement = isSyncing ? await this.#look(claim, looks) : await this.#write(claim, signal);
    await this.tools.ledger.settle(claim, settlement);
    return delayOf(settlement);
  }

  async #look(claim: Claim, looks: Looks): Promise<Settlement> {
    const { changeId, known, attempts } = claim;
    if (changeId === undefined || known === undefined) return { state: 'settled', now: known };
    const answer = await looks.at(changeId);
    // Who may never look would look for ever.
    if (answer instanceof DnsFailure && !isRetryable(answer.code)) return failureOf(claim, answer);
    if (answer === true) return { state: 'settled', now: known };
    return { state: 'syncing', now: known, changeId, afterMs: syncDelayMs(attempts) };
  }

  async #write(claim: Claim, signal: AbortSignal): Promise<Settlement> {
    try {
      return settlementOf(await this.tools.writer.write(this.#wishOf(claim), signal));
    } catch (error) {
      const isUnheard = error instanceof NotBegun || (error instanceof DnsFailure && error.code === 'throttled');
      // Nobody has said anything against a record that stands.
      if (isUnheard && stands(claim)) return { state: 'settled', now: claim.known, afterMs: CHECK_AGAIN_MS };
      return error instanceof NotBegun ? { state: 'pending', afterMs: 0 } : failureOf(claim, error);
    }
  }

  #wishOf({ subdomain, appId, known, leastTtl, endsAt }: Claim): RecordWish {
    const { platform } = this.tools;
    const target = platform.cdnHostname;
    return {
      hostname: platform.hostnameOf(subdomain),
      ...(appId !== undefined && { wanted: { target, ttl: leastTtl } }),
      ...(known && { known }),
      isOurs: (other) => other === target || other === known?.target,
      endsAt,
    };
  }
}

/** Whether a record was as wanted when we last knew. */
function stands({ state, appId, known }: Claim): boolean {
  return state === 'settled' && appId !== undefined && known !== undefined;
}

/** Many records wait for one change: it is asked for once. */
class Looks {
  readonly #answers = new Map<string, Promise<unknown>>();

  constructor(private readonly zone: DnsZone) {}

  /** True when a change is visible everywhere; or why nobody can tell. */
  at(changeId: string): Promise<unknown> {
    const known = this.#answers.get(changeId);
    if (known) return known;
    const answer = this.zone.isInSync(changeId, requestPatience()).catch((error: unknown) => error);
    this.#answers.set(changeId, answer);
    return answer;
  }
}

/** A removal that the provider has taken needs no more looking after. */
function settlementOf({ now, changeId }: RecordWritten): Settlement {
  if (now === undefined || changeId === undefined) return { state: 'settled', now };
  return { state: 'syncing', now, changeId, afterMs: syncDelayMs(0) };
}

/** What nobody wants is tried again whatever went wrong: no person will ask for it. */
function failureOf({ appId, state, attempts }: Claim, error: unknown): Settlement {
  const code: DnsErrorCode = error instanceof DnsFailure ? error.code : 'provider-unavailable';
  const failed = (state === 'failed' ? attempts : 0) + 1;
  const isRepeated = appId === undefined || isRetryable(code);
  return {
    state: 'failed',
    error: code,
    ...(isRepeated && { afterMs: retryDelayMs(failed, Math.random()) }),
  };
}
