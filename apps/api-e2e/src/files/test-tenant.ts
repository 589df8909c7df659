import { connect } from 'node:net';
import { type ApiCall, callAt, signIn } from '../homeport';

export interface Listing {
  items: { key: string; size: number; etag: string; modified_at: string }[];
  directories: string[];
  next_cursor: string | null;
}

type Body = RequestInit['body'];

/** Two members of one organization, and an empty folder of the first one. */
export interface TestTenant {
  /** Access tokens. */
  readonly ada: string;
  readonly ben: string;
  readonly folder: string;
  call(path: string, more?: ApiCall): Promise<Response>;
  /** The address of a file in the folder. @param path with percent-encoded segments. */
  at(path: string): string;
  /** Writes a file of ada. */
  put(path: string, body: Body, headers?: Record<string, string>): Promise<Response>;
  list(token: string, query?: string): Promise<Listing>;
  /** Sends a target unchanged, which fetch would normalize. @returns the whole response. */
  rawRequest(target: string): Promise<string>;
}

let tenants = 0;

export async function createTestTenant(url: string): Promise<TestTenant> {
  const [ada, ben] = (await Promise.all([signIn('ada'), signIn('ben')])).map(({ token }) => token) as [string, string];
  const folder = `e2e-${process.pid}-${process.hrtime.bigint()}-${tenants++}`;
  const call: TestTenant['call'] = (path, more) => callAt(url, path, more);
  const at: TestTenant['at'] = (path) => `/api/files/${folder}/${path}`;
  return {
    ada,
    ben,
    folder,
    call,
    at,
    put: (path, body, headers = {}) =>
      call(at(path), { token: ada, method: 'PUT', body: typeof body === 'string' ? Buffer.from(body) : body, headers }),
    list: async (token, query = `prefix=${folder}/`) =>
      (await (await call(`/api/files?${query}`, { token })).json()) as Listing,
    rawRequest: (target) => rawRequest(url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\n`, ada),
  };
}

function rawRequest(url: string, head: string, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
    socket.write(`${head}Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`);
  });
}
