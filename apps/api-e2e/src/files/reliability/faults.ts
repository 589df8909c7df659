/** Faults of a storage request. */
export const FAULTS = [
  /** Responses are delayed. */
  'latency',
  /** Accepts the request and never responds. */
  'black-hole',
  /** Does not read the request, so the sender's buffers fill up. */
  'deaf',
  /** Storage executes the request, but the connection is reset instead of a response. */
  'reset-before',
  /** Resets the connection in the middle of the response body, or of its head if there is no body. */
  'reset-mid-body',
  /** Stops sending in the middle of the response. */
  'stall-mid-body',
  /** Closes the connection in the middle of the response without a reset. */
  'end-mid-body',
  /** Sends the response byte by byte. */
  'drip',
  /** Sends only the body of the response byte by byte. */
  'drip-body',
  /** Closes the sending side of the connection instead of a response. */
  'half-close',
  /** Sends bytes that are not HTTP. */
  'garbage',
  /** Sends the HTML page of another server. */
  'foreign-page',
] as const;
export type Fault = (typeof FAULTS)[number];

/** The storage requests of an API call that a fault applies to. */
export const FAULT_TARGETS = ['any', 'write', 'part', 'completion'] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

export interface StorageRequest {
  readonly method: string;
  readonly target: string;
}

/** Parses the head of a request; undefined for bytes of a body. The API does not pipeline, so a head starts a chunk. */
export function parseRequest(chunk: Buffer): StorageRequest | undefined {
  const line = chunk.subarray(0, 8_192).toString('latin1');
  const [, method, target] = /^(GET|HEAD|PUT|POST|DELETE) (\/\S*) HTTP\/1\.1\r\n/.exec(line) ?? [];
  return method === undefined || target === undefined ? undefined : { method, target };
}

/** A file name that selects a fault for requests about it. */
export function faultyFileName(fault: Fault, scope: FaultTarget, rest: string): string {
  return `~${fault}.${scope}~${rest}~`;
}

/** The fault for this request, and the file name that selects it. */
export function parseFault(request: StorageRequest): { readonly fault: Fault; readonly name: string } | undefined {
  const [name, fault, scope] = /~([a-z-]+)\.([a-z]+)~[a-z0-9-]+~/.exec(request.target) ?? [];
  if (name === undefined || !isTargeted(scope as FaultTarget, request)) return undefined;
  return { fault: fault as Fault, name };
}

function isTargeted(scope: FaultTarget, { method, target }: StorageRequest): boolean {
  switch (scope) {
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
