import type { Header } from '@homeport/hosting/contracts';

/** The request headers that tell whether the browser has data of a former owner of the name. */
export interface VisitorRequest {
  /** `script` when a browser requests the script of a service worker, also for its update checks. */
  readonly 'service-worker'?: string | string[] | undefined;
  readonly cookie?: string | undefined;
}

/** An app whose name belonged to another organization before. */
export interface NewOwner {
  readonly appId: string;
  readonly clearsDataUntil: Date;
}

/** Marks a browser that has cleared the data already. */
const CLEARED_COOKIE = 'homeport-cleared';
/** Without "cookies", which would clear the cookies of the whole registrable domain. */
const CLEAR: Header = ['clear-site-data', '"cache", "storage"'];

/**
 * Replaces the service worker of a former owner: it activates immediately, unregisters itself and reloads open pages
 * from the network. It reloads all pages at once, because the first response clears the storage and ends this worker.
 * `Clear-Site-Data` alone is not enough: an open page of the former owner can register its worker again before the old
 * one is removed.
 */
export const CLEANUP_SERVICE_WORKER = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const key of await caches.keys()) await caches.delete(key);
  await registration.unregister();
  const pages = await clients.matchAll({ type: 'window' });
  await Promise.all(pages.map((page) => page.navigate(page.url).catch(() => undefined)));
})()));
`;

/** Whether a browser requests the script of a service worker. */
export function isServiceWorkerScript(request: VisitorRequest): boolean {
  return request['service-worker'] === 'script';
}

/** Response headers for a navigation to a released name. */
export function releasedNameHeaders(): readonly Header[] {
  return [CLEAR];
}

/**
 * Response headers for a navigation that make a browser clear the data of a former owner. A cookie marks browsers that
 * have done so, so that each clears once.
 * @param now milliseconds since 1970.
 * @returns headers of a response that must not be cached; empty when there is nothing to clear.
 */
export function clearSiteDataHeaders(owner: NewOwner, request: VisitorRequest, now: number): readonly Header[] {
  const secondsLeft = secondsLeftOf(owner, now);
  if (secondsLeft <= 0 || isMarked(owner, request)) return [];
  const cookie = `${CLEARED_COOKIE}=${owner.appId}; Path=/; Max-Age=${secondsLeft}; HttpOnly; SameSite=Lax`;
  return [CLEAR, ['set-cookie', cookie]];
}

/**
 * Whether the requested worker script may belong to a former owner. A browser without the mark has not yet loaded a
 * page of the new owner that could have registered a worker. For a script that the new owner does not serve, the mark
 * does not count, because a worker can forge it.
 * @param isServed whether the new owner serves a script at this URL.
 * @param now milliseconds since 1970.
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
