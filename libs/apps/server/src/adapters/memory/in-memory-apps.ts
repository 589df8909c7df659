import { randomUUID } from 'node:crypto';
import { type Claim, delayOf, type Settlement } from '../../application/dns-ledger.port';
import type { AppRecord } from '../../domain/app-record';
import { BACKGROUND_CLAIM_MS, type DnsRecord, lastMomentOf, REQUEST_CLAIM_MS } from '../../domain/dns-record';
import type { DnsState } from '../../domain/dns-record';

/** A row of the ledger. */
export interface MemoryRecord extends DnsRecord {
  readonly organization: string | undefined;
  readonly error: DnsState['error'];
  readonly token: string | undefined;
  /** Milliseconds since 1970; while there is a token, when the claim ends. */
  readonly dueAt: number | undefined;
  readonly changedAt: number;
}

/** Apps and ledger in memory, shared by the adapters of both ports. */
export class InMemoryApps {
  /** By id, in the order of registration. */
  readonly apps = new Map<string, Omit<AppRecord, 'dns'>>();
  /** By subdomain. */
  readonly records = new Map<string, MemoryRecord>();

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

  claim(record: MemoryRecord, isForRequest: boolean): Claim {
    const claimMs = isForRequest ? REQUEST_CLAIM_MS : BACKGROUND_CLAIM_MS;
    const token = randomUUID();
    this.change(record, { token, dueAt: Date.now() + claimMs });
    const isTakenOver = record.token !== undefined;
    return { ...record, token, isTakenOver, endsAt: lastMomentOf(performance.now(), claimMs) };
  }

  change(record: MemoryRecord, change: Partial<MemoryRecord>): void {
    this.records.set(record.subdomain, { ...record, ...change, changedAt: Date.now() });
  }

  settle(claim: Claim, settlement: Settlement): DnsState | undefined {
    const record = this.records.get(claim.subdomain);
    if (record?.token !== claim.token) return undefined;
    const known = 'now' in settlement ? settlement.now : record.known;
    const free = { known, token: undefined, changeId: undefined, error: undefined };
    const afterMs = delayOf(settlement);
    const dueAt = afterMs === undefined ? undefined : Date.now() + afterMs;
    if (record.appId !== claim.appId) {
      this.change(record, { ...free, state: 'pending', attempts: 0, dueAt: Date.now() });
      return undefined;
    }
    if (settlement.state === 'settled' && claim.appId === undefined) {
      this.records.delete(claim.subdomain);
      return undefined;
    }
    const { state } = settlement;
    this.change(record, {
      ...free,
      state,
      attempts: attemptsAfter(record, settlement),
      dueAt,
      ...(settlement.state === 'syncing' && { changeId: settlement.changeId }),
      ...(settlement.state === 'failed' && { error: settlement.error }),
    });
    return this.dnsOf(claim.subdomain);
  }
}

function attemptsAfter({ state, attempts }: MemoryRecord, settlement: Settlement): number {
  if (settlement.state === 'settled') return 0;
  if (settlement.state === 'pending') return attempts;
  return settlement.state === state ? attempts + 1 : 1;
}
