import type { RawAnswer, RawCall } from './raw-call';

const KIB = 1024;
const MIB = 1024 * KIB;

/** One way of using the files: what is there before, what is asked, and what may be answered when storage is well. */
export interface Kind {
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Bytes of the file that is there before, and of the body that is written. */
  readonly size: number;
  readonly isChunked?: boolean;
  readonly isList?: boolean;
  /** What the answer is when nothing goes wrong. */
  readonly done: readonly number[];
}

export const KINDS: readonly Kind[] = [
  { name: 'get-small', method: 'GET', size: 4 * KIB, done: [200] },
  { name: 'get-large', method: 'GET', size: MIB, done: [200] },
  { name: 'head', method: 'HEAD', size: 4 * KIB, done: [200] },
  { name: 'put-small', method: 'PUT', size: 4 * KIB, done: [200, 201] },
  { name: 'put-middle', method: 'PUT', size: 2 * MIB, done: [200, 201] },
  { name: 'put-large', method: 'PUT', size: 20 * MIB, done: [200, 201] },
  { name: 'put-chunked', method: 'PUT', size: 9 * MIB, isChunked: true, done: [200, 201] },
  { name: 'list', method: 'GET', size: 4 * KIB, isList: true, done: [200] },
  { name: 'delete', method: 'DELETE', size: 4 * KIB, done: [204] },
];

/** What storage's troubles may look like to a caller. */
export const TROUBLE = [502, 503, 504];

/** Content that tells which file it belongs to. */
export function contentOf(name: string, size: number): Buffer {
  return Buffer.alloc(size, `${name};`);
}

/** @param path of the file, from the root of the workspace. */
export function callFor(kind: Kind, base: string, path: string): Omit<RawCall, 'token'> {
  const { method, size, isChunked = false } = kind;
  if (kind.isList) return { method, url: `${base}/api/files?prefix=${path}` };
  const url = `${base}/api/files/${path}`;
  return method === 'PUT' ? { method, url, isChunked, body: contentOf(path, size) } : { method, url };
}

/** What is wrong with an answer; undefined when it is one the caller can trust. */
export function faultOf(kind: Kind, path: string, answer: RawAnswer, isHealthy: boolean): string | undefined {
  const allowed = isHealthy ? kind.done : [...kind.done, ...TROUBLE];
  if (answer.status === undefined) return 'no answer';
  if (!allowed.includes(answer.status)) return `status ${answer.status}: ${answer.body.toString().slice(0, 200)}`;
  if (answer.status >= 500) return answer.isWhole ? undefined : `a broken ${answer.status}`;
  // A read that broke off in the middle must look so.
  if (!answer.isWhole) return isHealthy || kind.name !== 'get-large' ? 'it broke off' : undefined;
  if (kind.method !== 'GET') return undefined;
  if (kind.isList) return answer.body.toString().includes(`"key":"${path}"`) ? undefined : 'the list is not whole';
  return answer.body.equals(contentOf(path, kind.size)) ? undefined : `${answer.body.length} wrong bytes as a whole`;
}
