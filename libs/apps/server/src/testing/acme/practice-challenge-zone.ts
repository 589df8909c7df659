import type { RunningDns } from '@homeport/dev-services';
import { InMemoryChallengeZone } from '../../certificates/adapters/memory/in-memory-challenge-zone';

/** A challenge zone whose values the embedded DNS server serves. */
export class PracticeChallengeZone extends InMemoryChallengeZone {
  constructor(private readonly dns: RunningDns) {
    super();
  }

  override async add(name: string, value: string, signal: AbortSignal): Promise<void> {
    await super.add(name, value, signal);
    await setRecord(this.dns, name, 'TXT', this.valuesOf(name));
  }

  override async remove(name: string, value: string, signal: AbortSignal): Promise<void> {
    await super.remove(name, value, signal);
    await setRecord(this.dns, name, 'TXT', this.valuesOf(name));
  }
}

/** Sets the values of a record of the embedded DNS server. */
export async function setRecord(dns: RunningDns, name: string, type: string, values: readonly string[]): Promise<void> {
  const response = await fetch(`${dns.controlUrl}/practice/${encodeURIComponent(name)}/${type}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${dns.token}` },
    body: JSON.stringify(values),
  });
  if (!response.ok) throw new Error(`the DNS server answers ${response.status}`);
}
