import { beforeAll, describe, expect, it } from '@jest/globals';
import type { App, Domain, DomainList } from '@homeport/apps/contracts';
import { call, callJson, signIn } from '../homeport';
import { until } from '../suites';
import { DeployClient } from './deploy-client';
import { createRecords, freshDomain } from './own-dns';

/** The events of an organization, as they arrive. */
class EventLog {
  #text = '';
  readonly #stop = new AbortController();

  static async open(token: string): Promise<EventLog> {
    const log = new EventLog();
    const headers = { accept: 'text/event-stream' };
    const response = await call('/api/events', { token, headers, signal: log.#stop.signal });
    void log.#read(response).catch(() => undefined);
    return log;
  }

  has(event: 'app' | 'domain', id: string): boolean {
    return this.#text.includes(`event: ${event}\ndata: ${JSON.stringify({ id })}\n\n`);
  }

  close(): void {
    this.#stop.abort();
  }

  async #read({ body }: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) this.#text += decoder.decode(chunk);
  }
}

describe('changes of own domains', () => {
  let token: string;
  let app: App;

  beforeAll(async () => {
    token = (await signIn('ben')).token;
    app = await new DeployClient(token).register('Domain changes');
  });

  it('are announced with the apps whose addresses they change', async () => {
    const log = await EventLog.open(token);
    const body = { kind: 'hostname', name: freshDomain(), app_id: app.id, accept_price_usd: 10 };
    const { id, records } = (await (await callJson('/api/domains', token, 'POST', body)).json()) as Domain;
    await until(async () => log.has('domain', id));
    expect(log.has('app', app.id)).toBe(false);
    await createRecords(records);
    await until(async () => log.has('app', app.id));
    log.close();
    const shown = (await (await call(`/api/apps/${app.id}`, { token })).json()) as App;
    expect(shown.addresses.map(({ kind }) => kind)).toEqual(['platform', 'hostname']);
    await call(`/api/domains/${id}`, { token, method: 'DELETE' });
  });

  it('come with what domains cost, and the kinds that can be added', async () => {
    const { prices_usd, offered_kinds } = (await (await call('/api/domains', { token })).json()) as DomainList;
    expect({ prices_usd, offered_kinds }).toEqual({
      prices_usd: { hostname: 10, base: 50 },
      offered_kinds: ['hostname', 'base'],
    });
  });
});
