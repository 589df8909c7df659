import type { IncomingMessage, ServerResponse } from 'node:http';
import { rawPathOf } from '@homeport/kernel';
import type { SiteCacheEntry } from '../../application/site-cache';
import {
  clearSiteDataHeaders,
  releasedNameHeaders,
  isStaleServiceWorker,
  isServiceWorkerScript,
  type NewOwner,
  CLEANUP_SERVICE_WORKER,
} from '../../domain/clear-site-data';
import { isNavigation } from '../../domain/navigation';
import { sendBuffered } from '../../../static/adapters/http/file-sender';
import type { PrecomputedResponse } from './error-pages';

const CLEANUP_BODY = Buffer.from(CLEANUP_SERVICE_WORKER);
const CLEANUP_RESPONSE: PrecomputedResponse = {
  status: 200,
  headers: [
    ...['Content-Type', 'text/javascript; charset=utf-8', 'Content-Length', String(CLEANUP_BODY.length)],
    ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
    // The scope of the former worker may exceed the folder of its script, and browsers check that again on update.
    ...['Service-Worker-Allowed', '/'],
  ],
  body: CLEANUP_BODY,
};

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Whether the response may have to clear data that a former owner stored in the browser. If so, a prepared response
 * cannot be sent.
 */
export function mayNeedClearing({ site }: SiteCacheEntry, request: IncomingMessage): boolean {
  return site?.clearsDataUntil !== undefined && (isPageNavigation(request) || isServiceWorkerScript(request.headers));
}

/**
 * Sends a service worker that unregisters itself when a former owner's worker checks for an update.
 * @param isServed whether the current owner serves a script at this address.
 * @returns whether it sent a response.
 */
export function sendCleanupWorker(entry: SiteCacheEntry, { request, response }: Exchange, isServed: boolean): boolean {
  const owner = newOwnerOf(entry);
  const isStaleWorker = owner
    ? isStaleServiceWorker(owner, request.headers, isServed, Date.now())
    : entry.isReleased && isServiceWorkerScript(request.headers);
  if (isStaleWorker) sendBuffered(request, response, CLEANUP_RESPONSE);
  return isStaleWorker;
}

/**
 * Sets header fields that make the browser delete data that a former owner of the name stored.
 * @returns whether it set them; then the response must not be cached.
 */
export function clearFormerSiteData(entry: SiteCacheEntry, { request, response }: Exchange): boolean {
  const owner = newOwnerOf(entry);
  if ((!owner && !entry.isReleased) || !isPageNavigation(request)) return false;
  const fields = owner ? clearSiteDataHeaders(owner, request.headers, Date.now()) : releasedNameHeaders();
  for (const [name, value] of fields) response.setHeader(name, value);
  return fields.length > 0;
}

function newOwnerOf({ site }: SiteCacheEntry): NewOwner | undefined {
  const { appId, clearsDataUntil } = site ?? {};
  return appId === undefined || clearsDataUntil === undefined ? undefined : { appId, clearsDataUntil };
}

/**
 * Whether the response opens a page in a tab. Excluded are requests of a service worker, which may discard the response
 * and show the former owner's page, and frames, whose cookies and storage may be separate.
 */
function isPageNavigation({ headers, url = '' }: IncomingMessage): boolean {
  const { 'sec-fetch-dest': destination = 'document', 'service-worker-navigation-preload': preload } = headers;
  return destination === 'document' && preload === undefined && isNavigation(headers, rawPathOf(url));
}
