import { randomUUID } from 'node:crypto';
import { type TimedCall, timedCall, type TimedResponse } from './timed-call';

/**
 * Readiness may report a fault of signing keys or PostgreSQL up to 2.5 s after it ended, when a check began during it.
 * They come last, so that no request of another dependency's cell sees that.
 */
export const DEPENDENCIES = ['S3', 'DNS provider', 'signing keys', 'PostgreSQL'] as const;
export type Dependency = (typeof DEPENDENCIES)[number];

/** A request of the fault matrix. */
export interface FaultRequest {
  readonly name: string;
  readonly call: () => TimedCall;
  /** Statuses while all dependencies work. */
  readonly healthy: readonly number[];
  /** Further statuses while a dependency has a fault. Other dependencies must not affect the request. */
  readonly faulty: Partial<Record<Dependency, readonly number[]>>;
  /** Whether it may stay as it was for a while after the fault. */
  readonly recoversLate?: boolean;
  /** The body of a complete response with the status 200. */
  readonly content?: string;
}

export interface FaultRequestsOptions {
  readonly base: string;
  /** A valid token of a person. */
  readonly token: string;
  readonly folder: string;
}

const FILE = 'a small file;'.repeat(300);
/** Larger than all buffers of the connections. */
const LARGE_FILE = 'a large file;'.repeat(600_000);
const KEYS = { 'signing keys': [503] };

/** The requests of a cell: some need the dependency, the others must not notice its fault. */
export function faultRequests(options: FaultRequestsOptions): readonly FaultRequest[] {
  return [...publicRequests(options), ...appRequests(options), ...fileRequests(options)];
}

function publicRequests({ base }: FaultRequestsOptions): readonly FaultRequest[] {
  const faulty = { PostgreSQL: [503], ...KEYS };
  return [
    { name: 'live', call: () => ({ url: `${base}/health/live` }), healthy: [200], faulty: {} },
    { name: 'ready', call: () => ({ url: `${base}/health/ready` }), healthy: [200], faulty },
    { name: 'pricing', call: () => ({ url: `${base}/v1/pricing` }), healthy: [200], faulty: {} },
  ];
}

function appRequests({ base, token }: FaultRequestsOptions): readonly FaultRequest[] {
  const url = `${base}/api/apps`;
  const faulty = { PostgreSQL: [503], ...KEYS };
  const register = (): TimedCall => {
    const body = JSON.stringify({ name: `fault ${randomUUID()}` });
    return { url, method: 'POST', token, headers: { 'content-type': 'application/json' }, body };
  };
  return [
    { name: 'list apps', call: () => ({ url, token }), healthy: [200], faulty },
    { name: 'register', call: register, healthy: [201], faulty },
    {
      name: 'unknown key',
      call: () => ({ url, token: withUnknownKey(token) }),
      healthy: [401],
      faulty: KEYS,
      // Unknown keys are looked up at most once in 30 seconds, so that forged tokens cannot flood the identity service.
      recoversLate: true,
    },
  ];
}

function fileRequests({ base, token, folder }: FaultRequestsOptions): readonly FaultRequest[] {
  const files = `${base}/api/files/${folder}`;
  const faulty = { S3: [502, 503, 504], ...KEYS };
  const write = () => ({ url: `${files}/written-${randomUUID()}.txt`, method: 'PUT', token, body: FILE });
  return [
    { name: 'read', call: () => ({ url: `${files}/small.txt`, token }), healthy: [200], faulty, content: FILE },
    { name: 'stream', call: () => ({ url: `${files}/large.txt`, token }), healthy: [200], faulty, content: LARGE_FILE },
    { name: 'write', call: write, healthy: [201], faulty },
    {
      name: 'list files',
      call: () => ({ url: `${base}/api/files?prefix=${folder}/small`, token }),
      healthy: [200],
      faulty,
    },
  ];
}

/** Stores the files that the requests read. @throws {Error} when storage rejects one. */
export async function storeFiles({ base, token, folder }: FaultRequestsOptions): Promise<void> {
  for (const [name, body] of [
    ['small.txt', FILE],
    ['large.txt', LARGE_FILE],
  ]) {
    const url = `${base}/api/files/${folder}/${name}`;
    const { status } = await timedCall({ url, method: 'PUT', token, body: body as string });
    if (status !== 200 && status !== 201) throw new Error(`${name} could not be stored: ${status}`);
  }
}

/** As a token that is signed with a key which the API has not fetched yet. */
function withUnknownKey(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'unknown', typ: 'at+jwt' })).toString('base64url');
  return [header, ...token.split('.').slice(1)].join('.');
}

/** @returns what a caller could not trust in a response; undefined when there is nothing. */
export function violationOf(
  { name, healthy, faulty, content }: FaultRequest,
  { status, body, isWhole }: TimedResponse,
  dependency: Dependency | undefined,
): string | undefined {
  const allowed = [...healthy, ...((dependency && faulty[dependency]) ?? [])];
  if (!allowed.includes(status)) return `${name}: ${status} ${body.slice(0, 200)}`;
  // Only a stream may break, when the bytes end in the middle of it.
  if (!isWhole) return name === 'stream' && dependency === 'S3' ? undefined : `${name}: the response is incomplete`;
  if (status !== 200 || content === undefined || body === content) return undefined;
  return `${name}: ${body.length} wrong bytes in a complete response`;
}
