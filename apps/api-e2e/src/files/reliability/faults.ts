/** What can happen to a request that the API makes to its storage. */
export const FAULTS = [
  /** Every answer comes late. */
  'latency',
  /** Taken, and never answered. */
  'black-hole',
  /** Not even taken: the bytes pile up where they come from. */
  'deaf',
  /** Done, and the connection reset instead of an answer. */
  'reset-before',
  /** Reset in the middle of the answer: of its body, or where there is none of its head. */
  'reset-mid-body',
  /** Silence in the middle of the answer. */
  'stall-mid-body',
  /** The same with a decent end. */
  'end-mid-body',
  /** The answer comes byte by byte. */
  'drip',
  /** The body of the answer does. */
  'drip-body',
  /** The other side of the connection says that it has nothing to say. */
  'half-close',
  /** What comes is not HTTP. */
  'garbage',
  /** What comes is a page of some other server. */
  'foreign-page',
] as const;
export type Fault = (typeof FAULTS)[number];

/** To which of the requests that one call of the API makes it happens. */
export const FAULT_TARGETS = ['any', 'write', 'part', 'completion'] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

export interface StorageRequest {
  readonly method: string;
  readonly target: string;
}

/** The head of a request; undefined for bytes of a body. The API pipelines nothing, so a head begins a chunk. */
export function parseRequest(chunk: Buffer): StorageRequest | undefined {
  const line = chunk.subarray(0, 8_192).toString('latin1');
  const [, method, target] = /^(GET|HEAD|PUT|POST|DELETE) (\/\S*) HTTP\/1\.1\r\n/.exec(line) ?? [];
  return method === undefined || target === undefined ? undefined : { method, target };
}

/** A name that says what shall happen to requests about it. */
export function faultyFileName(fault: Fault, place: FaultTarget, rest: string): string {
  return `~${fault}.${place}~${rest}~`;
}

/** The fault this request shall meet, and the name that says so. */
export function parseFault(request: StorageRequest): { readonly fault: Fault; readonly name: string } | undefined {
  const [name, fault, place] = /~([a-z-]+)\.([a-z]+)~[a-z0-9-]+~/.exec(request.target) ?? [];
  if (name === undefined || !isTargeted(place as FaultTarget, request)) return undefined;
  return { fault: fault as Fault, name };
}

function isTargeted(place: FaultTarget, { method, target }: StorageRequest): boolean {
  switch (place) {
    case 'any':
      return true;
    case 'write':
      return method !== 'GET' && method !== 'HEAD';
    case 'part':
      return method === 'PUT' && target.includes('partNumber=');
    case 'completion':
      return method === 'POST' && target.includes('uploadId=');
  }
}
