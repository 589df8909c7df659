import { completeSignIn } from '@homeport/dev-services';

/** The settings of the product under test. */
export const settings = JSON.parse(process.env['HOMEPORT_TEST_SERVICES'] ?? '{}') as Record<string, string>;

/** The address of the product under test. */
export const url = settings['PUBLIC_URL'] as string;
export const dnsPort = Number(settings['DNS_PORT']);

/** The product under test with each storage: the embedded one, and Ceph where it is installed. */
export const products: readonly { readonly storage: string; readonly url: string }[] = [
  { storage: 'the embedded S3 server', url },
  ...(settings['CEPH_PUBLIC_URL'] === undefined ? [] : [{ storage: 'Ceph', url: settings['CEPH_PUBLIC_URL'] }]),
];

export interface SignedInBrowser {
  readonly token: string;
  /** The final address of the sign-in. */
  readonly landedOn: string;
  /** The cookie header of the browser. */
  readonly cookie: string;
}

/** Signs in a person of the embedded identity service through the hosted page, like a browser. */
export async function signIn(person: string, returnTo = '/settings'): Promise<SignedInBrowser> {
  const provider = ['ada', 'ben', 'carla'].includes(person) ? 'northwind' : 'globex';
  const start = `${url}/auth/sign-in?provider=${provider}&return_to=${encodeURIComponent(returnTo)}`;
  const { finalUrl, jar } = await completeSignIn(start, { person });
  const cookie = jar.header(url) ?? '';
  const session = await sessionCall('GET', '/auth/session', cookie);
  const { access_token } = (await session.json()) as { access_token: string };
  return { token: access_token, landedOn: finalUrl, cookie };
}

/** Calls a session endpoint like a page of the product. */
export function sessionCall(method: 'GET' | 'POST', path: string, cookie: string): Promise<Response> {
  return fetch(url + path, { method, headers: { cookie, 'sec-fetch-site': 'same-origin' } });
}

export interface ApiCall {
  readonly token?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: RequestInit['body'];
  readonly redirect?: RequestInit['redirect'];
  readonly signal?: AbortSignal;
}

export function call(path: string, more?: ApiCall): Promise<Response> {
  return callAt(url, path, more);
}

export function callAt(
  base: string,
  path: string,
  { token, method = 'GET', headers = {}, body, redirect = 'follow', signal }: ApiCall = {},
): Promise<Response> {
  return fetch(base + path, {
    method,
    redirect,
    headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body, duplex: 'half' }),
    ...(signal && { signal }),
  } as RequestInit);
}

export function callJson(path: string, token: string, method: string, value: unknown): Promise<Response> {
  const body = JSON.stringify(value);
  return call(path, { token, method, body, headers: { 'content-type': 'application/json' } });
}
