import type { RawResponse, RawCall } from './raw-call';

const KIB = 1024;
const MIB = 1024 * KIB;

/** A file operation: its precondition, its request, and the statuses that a working storage may lead to. */
export interface FileOperation {
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Size in bytes of the existing file, or of the written body. */
  readonly size: number;
  readonly isChunked?: boolean;
  readonly isList?: boolean;
  /** Possible statuses without a fault. */
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

/** Statuses that a storage failure may lead to. */
export const FAILURE_STATUSES = [502, 503, 504];

/** Content that identifies its file. */
export function contentOf(name: string, size: number): Buffer {
  return Buffer.alloc(size, `${name};`);
}

/** @param path of the file, from the root of the workspace. */
export function requestFor(operation: FileOperation, base: string, path: string): Omit<RawCall, 'token'> {
  const { method, size, isChunked = false } = operation;
  if (operation.isList) return { method, url: `${base}/api/files?prefix=${path}` };
  const url = `${base}/api/files/${path}`;
  return method === 'PUT' ? { method, url, isChunked, body: contentOf(path, size) } : { method, url };
}

/** The violation in a response; undefined when the caller can trust the response. */
export function violationIn(
  operation: FileOperation,
  path: string,
  answer: RawResponse,
  isHealthy: boolean,
): string | undefined {
  const allowed = isHealthy ? operation.expectedStatuses : [...operation.expectedStatuses, ...FAILURE_STATUSES];
  if (answer.status === undefined) return 'no answer';
  if (!allowed.includes(answer.status)) return `status ${answer.status}: ${answer.body.toString().slice(0, 200)}`;
  if (answer.status >= 500) return answer.isWhole ? undefined : `a broken ${answer.status}`;
  // A read that ends early must be recognizable as incomplete.
  if (!answer.isWhole) return isHealthy || operation.name !== 'get-large' ? 'the response is incomplete' : undefined;
  if (operation.method !== 'GET') return undefined;
  if (operation.isList)
    return answer.body.toString().includes(`"key":"${path}"`) ? undefined : 'the file is missing in the list';
  return answer.body.equals(contentOf(path, operation.size))
    ? undefined
    : `${answer.body.length} wrong bytes in a complete response`;
}
