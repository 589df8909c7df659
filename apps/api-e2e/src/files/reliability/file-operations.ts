import type { RawResponse, RawCall } from './raw-call';

const KIB = 1024;
const MIB = 1024 * KIB;

/** One way of using the files: what is there before, what is asked, and what may be answered when storage is well. */
export interface FileOperation {
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Bytes of the file that is there before, and of the body that is written. */
  readonly size: number;
  readonly isChunked?: boolean;
  readonly isList?: boolean;
  /** What the answer is when nothing goes wrong. */
  readonly expectedStatuses: readonly number[];
}

export const FILE_OPERATIONS: readonly FileOperation[] = [
  { name: 'get-small', method: 'GET', size: 4 * KIB, expectedStatuses: [200] },
  { name: 'get-large', method: 'GET', size: MIB, expectedStatuses: [200] },
  { name: 'head', method: 'HEAD', size: 4 * KIB, expectedStatuses: [200] },
  { name: 'put-small', method: 'PUT', size: 4 * KIB, expectedStatuses: [200, 201] },
  { name: 'put-middle', method: 'PUT', size: 2 * MIB, expectedStatuses: [200, 201] },
  { name: 'put-large', method: 'PUT', size: 20 * MIB, expectedStatuses: [200, 201] },
  { name: 'put-chunked', method: 'PUT', size: 9 * MIB, isChunked: true, expectedStatuses: [200, 201] },
  { name: 'list', method: 'GET', size: 4 * KIB, isList: true, expectedStatuses: [200] },
  { name: 'delete', method: 'DELETE', size: 4 * KIB, expectedStatuses: [204] },
];

/** What storage's troubles may look like to a caller. */
export const FAILURE_STATUSES = [502, 503, 504];

/** Content that tells which file it belongs to. */
export function contentOf(name: string, size: number): Buffer {
  return Buffer.alloc(size, `${name};`);
}

/** @param path of the file, from the root of the workspace. */
export function requestFor(kind: FileOperation, base: string, path: string): Omit<RawCall, 'token'> {
  const { method, size, isChunked = false } = kind;
  if (kind.isList) return { method, url: `${base}/api/files?prefix=${path}` };
  const url = `${base}/api/files/${path}`;
  return method === 'PUT' ? { method, url, isChunked, body: contentOf(path, size) } : { method, url };
}

/** What is wrong with an answer; undefined when it is one the caller can trust. */
export function violationIn(
  kind: FileOperation,
  path: string,
  answer: RawResponse,
  isHealthy: boolean,
): string | undefined {
  const allowed = isHealthy ? kind.expectedStatuses : [...kind.expectedStatuses, ...FAILURE_STATUSES];
  if (answer.status === undefined) return 'no answer';
  if (!allowed.includes(answer.status)) return `status ${answer.status}: ${answer.body.toString().slice(0, 200)}`;
  if (answer.status >= 500) return answer.isWhole ? undefined : `a broken ${answer.status}`;
  // A read that broke off in the middle must look so.
  if (!answer.isWhole) return isHealthy || kind.name !== 'get-large' ? 'it broke off' : undefined;
  if (kind.method !== 'GET') return undefined;
  if (kind.isList) return answer.body.toString().includes(`"key":"${path}"`) ? undefined : 'the list is not whole';
  return answer.body.equals(contentOf(path, kind.size)) ? undefined : `${answer.body.length} wrong bytes as a whole`;
}
