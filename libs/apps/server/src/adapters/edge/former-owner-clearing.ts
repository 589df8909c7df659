import type { IncomingMessage, ServerResponse } from 'node:http';
import { rawPathOf } from '@homeport/platform/server';
import type { KnownHost } from '../../application/sites/site-map';
import {
  clearFormerData,
  clearReleasedName,
  isFormerWorker,
  isWorkerScript,
  type NewOwner,
  CLEANUP_SERVICE_WORKER,
} from '../../domain/sites/former-data';
import { isNavigation } from '../../domain/sites/navigation';
import { sendWhole } from './file-sender';
import type { OwnAnswer } from './own-pages';

const BODY = Buffer.from(CLEANUP_SERVICE_WORKER);
const RETIREMENT: OwnAnswer = {
  status: 200,
  headers: [
    ...['Content-Type', 'text/javascript; charset=utf-8', 'Content-Length', String(BODY.length)],
    ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
    // The former worker may have had a scope above its script, which is checked again at an update.
    ...['Service-Worker-Allowed', '/'],
  ],
  body: BODY,
};

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Whether an answer at a host may depend on what a former owner stored, so that no prepared answer will do. */
export function mayNeedClearing({ site }: KnownHost, request: IncomingMessage): boolean {
  return site?.clearsDataUntil !== undefined && (isAskedByPerson(request) || isWorkerScript(request.headers));
}

/**
 * Answers with a worker that removes itself, where a former owner's worker looks for an update.
 * @param isServed whether the present owner serves a script at this address.
 * @returns whether it did.
 */
export function sendCleanupWorker(known: KnownHost, { request, response }: Exchange, isServed: boolean): boolean {
  const owner = newOwnerOf(known);
  const isFormer = owner
    ? isFormerWorker(owner, request.headers, isServed, Date.now())
    : known.isReleased && isWorkerScript(request.headers);
  if (isFormer) sendWhole(request, response, RETIREMENT);
  return isFormer;
}

/**
 * Sets the header fields that make the browser of a person drop what a former owner of the name stored.
 * @returns whether it does, so that nobody may store the answer.
 */
export function clearFormerOwner(known: KnownHost, { request, response }: Exchange): boolean {
  const owner = newOwnerOf(known);
  if ((!owner && !known.isReleased) || !isAskedByPerson(request)) return false;
  const fields = owner ? clearFormerData(owner, request.headers, Date.now()) : clearReleasedName();
  for (const [name, value] of fields) response.setHeader(name, value);
  return fields.length > 0;
}

function newOwnerOf({ site }: KnownHost): NewOwner | undefined {
  const { appId, clearsDataUntil } = site ?? {};
  return appId === undefined || clearsDataUntil === undefined ? undefined : { appId, clearsDataUntil };
}

function isAskedByPerson({ headers, url = '' }: IncomingMessage): boolean {
  return isNavigation(headers, rawPathOf(url));
}
