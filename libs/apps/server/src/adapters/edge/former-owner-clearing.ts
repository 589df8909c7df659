import type { IncomingMessage, ServerResponse } from 'node:http';
import { rawPathOf } from '@homeport/platform/server';
import type { KnownHost } from '../../application/sites/site-map';
import { clearFormerData, clearReleasedName, isWorkerScript } from '../../domain/sites/former-data';
import { isNavigation } from '../../domain/sites/navigation';

/** Whether an answer at a host may have to clear what a former owner stored, so that no prepared answer will do. */
export function mayClear({ site }: KnownHost, request: IncomingMessage): boolean {
  return site?.clearsDataUntil !== undefined && (isAskedByPerson(request) || isWorkerScript(request.headers));
}

/**
 * Sets the header fields that make the browser drop what a former owner of the name stored.
 * @param isScript whether the answer is a script of the present owner.
 * @returns whether it does, so that nobody may store the answer.
 */
export function clearFormerOwner(
  { site, isReleased }: KnownHost,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  isScript: boolean,
): boolean {
  if (!isReleased && site?.clearsDataUntil === undefined) return false;
  const { headers } = request;
  const fields =
    site?.clearsDataUntil === undefined
      ? clearReleasedName(headers, isAskedByPerson(request))
      : clearFormerData(
          { appId: site.appId, clearsDataUntil: site.clearsDataUntil },
          headers,
          { isNavigation: isAskedByPerson(request), isScript },
          Date.now(),
        );
  for (const [name, value] of fields) response.setHeader(name, value);
  return fields.length > 0;
}

function isAskedByPerson({ headers, url = '' }: IncomingMessage): boolean {
  return isNavigation(headers, rawPathOf(url));
}
