import type { Header } from './header-rules';
import type { AskedFor } from './navigation';

/** What a request says that decides whether the browser must drop the data of a former owner of the name. */
export interface VisitorRequest extends AskedFor {
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
const MARK = 'homeport-cleared';
/** "storage" unregisters service workers. Not "cookies": that would reach the whole registrable domain. */
const CLEAR: readonly Header[] = [['clear-site-data', '"cache", "storage"']];
const NONE: readonly Header[] = [];

/** Whether a browser asks for the script of a service worker. */
export function isWorkerScript(request: VisitorRequest): boolean {
  return request['service-worker'] === 'script';
}

/** Header fields for a name that no app has any more. */
export function clearReleasedName(request: VisitorRequest, isNavigation: boolean): readonly Header[] {
  return isNavigation || isWorkerScript(request) ? CLEAR : NONE;
}

/**
 * Header fields that make a browser drop what a former owner of the name stored, once for each browser: a cookie marks
 * those that have. Scripts of service workers that the new owner does not serve clear regardless of the mark, because a
 * former owner's worker can forge it.
 * @param answer how the request is answered otherwise. @param now milliseconds since 1970.
 * @returns fields of an answer that nobody may store; none when there is nothing to clear.
 */
export function clearFormerData(
  { appId, clearsDataUntil }: NewOwner,
  request: VisitorRequest,
  answer: { readonly isNavigation: boolean; readonly isScript: boolean },
  now: number,
): readonly Header[] {
  const secondsLeft = Math.ceil((clearsDataUntil.getTime() - now) / 1_000);
  if (secondsLeft <= 0 || !(answer.isNavigation || isWorkerScript(request))) return NONE;
  const isForeignWorker = isWorkerScript(request) && !answer.isScript;
  const isMarked = request.cookie?.split(/; */).includes(`${MARK}=${appId}`) === true;
  if (isMarked) return isForeignWorker ? CLEAR : NONE;
  const cookie = `${MARK}=${appId}; Path=/; Max-Age=${secondsLeft}; HttpOnly; SameSite=Lax`;
  return [...CLEAR, ['set-cookie', cookie]];
}
