import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, signIn } from '../homeport';

interface App {
  id: string;
  subdomain: string;
}

let count = 0;
const freshName = () => `Named Shop ${process.pid} ${count++}`;

let ada: string;
let hank: string;

beforeAll(async () => {
  [ada, hank] = (await Promise.all(['ada', 'hank'].map((person) => signIn(person)))).map(({ token }) => token) as [
    string,
    string,
  ];
});

const register = async (token: string, name: string, key?: string) => {
  const response = await call('/api/apps', {
    token,
    method: 'POST',
    body: JSON.stringify({ name }),
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
  });
  return { response, body: (await response.json()) as App & { code?: string } };
};

describe('the availability of a name', () => {
  it('is available, taken, reserved or invalid', async () => {
    const taken = freshName();
    await register(ada, taken);
    const answerFor = async (candidate: string) =>
      (await call(`/api/subdomains/${encodeURIComponent(candidate)}`, { token: hank })).json();
    const subdomain = taken.toLowerCase().replaceAll(' ', '-');
    expect(await answerFor(taken)).toEqual({ candidate: taken, subdomain, available: false, reason: 'taken' });
    const free = freshName();
    expect(await answerFor(free)).toMatchObject({ candidate: free, available: true, reason: null });
    expect(await answerFor('  API ')).toEqual({
      candidate: '  API ',
      subdomain: 'api',
      available: false,
      reason: 'reserved',
    });
    for (const invalid of ['ab', 'ü/%?#', 'x'.repeat(64)]) {
      expect(await answerFor(invalid)).toMatchObject({ candidate: invalid, available: false, reason: 'invalid' });
    }
  });

  it('is returned to members only', async () => {
    expect((await call('/api/subdomains/shop')).status).toBe(401);
  });
});

describe('Idempotency-Key', () => {
  const freshKey = () => `key-${process.pid}-${count++}`;

  it('registers one app for repeated requests', async () => {
    const [name, key] = [freshName(), freshKey()];
    const first = await register(ada, name, key);
    expect([first.response.status, first.response.headers.get('idempotency-replayed')]).toEqual([201, null]);
    const again = await register(ada, name, key);
    expect([again.response.status, again.response.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(again.response.headers.get('location')).toBe(`/api/apps/${first.body.id}`);
  });

  it('registers one app for concurrent requests', async () => {
    const [name, key] = [freshName(), freshKey()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(ada, name, key)));
    const statuses = answers.map(({ response }) => response.status);
    expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
    const ids = answers.filter(({ response }) => response.status === 201).map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(1);
    for (const { response, body } of answers) {
      if (response.status === 409) expect(body.code).toBe('platform.idempotency-in-progress');
    }
  });

  it('replays a rejection', async () => {
    const [name, key] = [freshName(), freshKey()];
    await register(hank, name);
    const first = await register(ada, name, key);
    const again = await register(ada, name, key);
    expect([first.response.status, again.response.status]).toEqual([409, 409]);
    expect(again.body).toEqual(first.body);
    expect(again.response.headers.get('content-type')).toContain('application/problem+json');
    expect(again.response.headers.get('idempotency-replayed')).toBe('true');
  });

  it('identifies one request of one organization', async () => {
    const key = freshKey();
    await register(ada, freshName(), key);
    const other = await register(ada, freshName(), key);
    expect([other.response.status, other.body.code]).toEqual([422, 'platform.idempotency-mismatch']);
    expect((await register(hank, freshName(), key)).response.status).toBe(201);
  });

  it.each(['', 'a b', 'x'.repeat(256)])('rejects "%s"', async (key) => {
    const { response, body } = await register(ada, freshName(), key);
    expect([response.status, body.code]).toEqual([400, 'platform.invalid-request']);
  });
});
