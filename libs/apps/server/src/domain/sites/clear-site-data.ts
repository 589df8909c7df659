import type { Header } from './header-rules';

/** What a request says that decides whether the browser holds data of a former owner of the name. */
export interface VisitorRequest {
  /** `script` when a browser asks for the script of a service worker, which includes its checks for an update. */
  readonly 'service-worker'?: string | string[] | undefined;
  readonly cookie?: string | undefined;
}

/** An app whose name another organization had before. */
export interface NewOwner {
  readonly appId: string;
  readonly clearsDataUntil: Date;
}

/** Marks a browser that has dropped the data already. */
const CLEARED_COOKIE = 'homeport-cleared';
/** Not "cookies": that would reach the whole registrable domain. */
const CLEAR: Header = ['clear-site-data', '"cache", "storage"'];

/**
 * Replaces the service worker of a former owner: it takes over at once, unregisters itself and reloads open pages from
 * the network. `Clear-Site-Data` alone does not do: a page of the former owner that is still open can register its
 * worker again before it is removed.
 */
export const CLEANUP_SERVICE_WORKER = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const key of await caches.keys()) await caches.delete(key);
  await registration.unregister();
  for (const client of await clients.matchAll({ type: 'window' })) await client.navigate(client.url).catch(() => undefined);
})()));
`;

/** Whether a browser asks for the script of a service worker. */
export function isServiceWorkerScript(request: VisitorRequest): boolean {
  return request['service-worker'] === 'script';
}

/** Header fields of a navigation to a name that no app has any more. */
export function releasedNameHeaders(): readonly Header[] {
  return [CLEAR];
}

/**
 * Header fields of a navigation that make a browser drop what a former owner stored, once: a cookie marks browsers that
 * have.
 * @param now milliseconds since 1970.
 * @returns fields of an answer that nobody may store; none when there is nothing to clear.
 */
export function clearSiteDataHeaders(owner: NewOwner, request: VisitorRequest, now: number): readonly Header[] {
  const secondsLeft = secondsLeftOf(owner, now);
  if (secondsLeft <= 0 || isMarked(owner, request)) return [];
  const cookie = `${CLEARED_COOKIE}=${owner.appId}; Path=/; Max-Age=${secondsLeft}; HttpOnly; SameSite=Lax`;
  return [CLEAR, ['set-cookie', cookie]];
}

/**
 * Whether the worker whose script is asked for may be a former owner's. A browser without the mark has not yet seen a
 * page of the new owner that could have registered one. The mark does not excuse a script that the new owner does not
 * serve, because a worker can forge it.
 * @param isServed whether the new owner serves a script at this address. @param now milliseconds since 1970.
 */
export function isStaleServiceWorker(
  owner: NewOwner,
  request: VisitorRequest,
  isServed: boolean,
  now: number,
): boolean {
  return isServiceWorkerScript(request) && secondsLeftOf(owner, now) > 0 && !(isServed && isMarked(owner, request));
}

function secondsLeftOf({ clearsDataUntil }: NewOwner, now: number): number {
  return Math.ceil((clearsDataUntil.getTime() - now) / 1_000);
}

function isMarked({ appId }: NewOwner, { cookie }: VisitorRequest): boolean {
  return cookie?.split(/; */).includes(`${CLEARED_COOKIE}=${appId}`) === true;
}
