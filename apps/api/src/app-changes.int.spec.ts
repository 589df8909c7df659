import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';

/** The events of one stream, in order. */
class EventReader {
  #text = '';

  private constructor(
    readonly response: Response,
    private readonly reader: ReadableStreamDefaultReader<string>,
  ) {}

  static of(response: Response): EventReader {
    const text = response.body?.pipeThrough(new TextDecoderStream()) as ReadableStream<string>;
    return new EventReader(response, text.getReader());
  }

  /** @returns the next event as its name and its data; undefined at the end of the stream. Skips comments. */
  async next(): Promise<readonly [name: string, data: unknown] | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await this.reader.read();
        if (done) return undefined;
        this.#text += value;
        continue;
      }
      const block = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (name !== undefined && data !== undefined) return [name, JSON.parse(data)];
    }
  }

  close(): Promise<void> {
    return this.reader.cancel();
  }
}

describe('the events of an organization', () => {
  let api: InProcessApi;
  const RESET = ['reset', {}];

  beforeAll(async () => {
    api = await startInProcessApi();
  });
  afterAll(() => api?.stop());

  const headersOf = async (organization: string, subject = 'ada') => ({
    authorization: `Bearer ${await api.issuer.token({ org_id: organization, sub: subject })}`,
    accept: 'text/event-stream',
  });
  const follow = async (organization: string, subject?: string): Promise<EventReader> =>
    EventReader.of(await fetch(`${api.url}/api/events`, { headers: await headersOf(organization, subject) }));
  const request = async (organization: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${api.url}/api/events`, { headers: await headersOf(organization), ...init });
  const register = async (organization: string, name: string): Promise<string> => {
    const headers = { ...(await headersOf(organization)), 'content-type': 'application/json' };
    const body = JSON.stringify({ name, type: 'static' });
    const response = await fetch(`${api.url}/api/apps`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: string }).id;
  };

  it('begin with a reset and name each changed app, to all people of the organization', async () => {
    const [ada, ben] = await Promise.all([follow('watched', 'ada'), follow('watched', 'ben')]);
    expect(ada.response.headers.get('content-type')).toBe('text/event-stream');
    expect(ada.response.headers.get('cache-control')).toBe('private, no-store');
    const id = await register('watched', 'Watched shop');
    for (const reader of [ada, ben]) {
      let event = await reader.next();
      expect(event).toEqual(RESET);
      while (event?.[0] === 'reset') event = await reader.next();
      expect(event).toEqual(['app', { id }]);
      await reader.close();
    }
  });

  it('are not sent to other organizations', async () => {
    const other = await follow('other');
    await register('watched', 'Another shop');
    const id = await register('other', 'Own shop');
    let event = await other.next();
    while (event?.[0] === 'reset') event = await other.next();
    expect(event).toEqual(['app', { id }]);
    await other.close();
  });

  it('need a member, and a limited number of streams for each person', async () => {
    expect((await fetch(`${api.url}/api/events`)).status).toBe(401);
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow('many')));
    const refused = await request('many');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    const another = await follow('many', 'ben');
    expect(another.response.status).toBe(200);
    await Promise.all([...streams, another].map((each) => each.close()));
    // Closed streams are counted out when their connections have closed.
    let reopened = await follow('many');
    while (reopened.response.status !== 200) reopened = await follow('many');
    await reopened.close();
  });

  it('are sent only to clients that accept a stream, and leave none open after HEAD', async () => {
    const { authorization } = await headersOf('head');
    const unaware = await request('head', { headers: { authorization } });
    expect([unaware.status, await unaware.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'platform.invalid-request' }),
    ]);
    for (let sent = 0; sent < 30; sent += 1) expect((await request('head', { method: 'HEAD' })).status).toBe(200);
  });

  it('end when the instance stops', async () => {
    const reader = await follow('stopped');
    expect(await reader.next()).toEqual(RESET);
    api.server.changes.stop();
    let event = await reader.next();
    while (event) event = await reader.next();
    expect((await request('stopped')).status).toBe(429);
  });
});
