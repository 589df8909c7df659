import type { ChangeInfo, ResourceRecordSet, RRType } from '@aws-sdk/client-route-53';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { TokenBucket } from '@homeport/kernel';
import type { CnameRecord } from '../../dns/application/dns-zone.port';
import { type Route53Action, type Route53Fault, Route53Faults } from './route53-faults';
import { HostedZoneDouble } from './route53-hosted-zone';
import { wire } from './route53-wire';

export interface Route53DoubleOptions {
  /** The only hosted zone. Default: `Z1`. */
  readonly hostedZoneId?: string;
  /** Its apex. Default: `apps.example.com`. */
  readonly domain?: string;
  /** Maximum number of record sets. Default: 10,000, as on a new account. */
  readonly mostSets?: number;
  /** The form of `InvalidChangeBatch`: as Route 53 sends it today, or as its documentation describes it. */
  readonly errorForm?: 'today' | 'documented';
  /** Throttles faster calls. Default: no throttling. */
  readonly rate?: { readonly perSecond: number; readonly burst: number };
  /** Clock in milliseconds. Default: the system clock. */
  readonly now?: () => number;
}

export interface Route53Call {
  readonly action: Route53Action;
  /** Number of changes; 0 for other actions. */
  readonly changes: number;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Request {
  readonly action: Route53Action;
  readonly url: URL;
  readonly body: string;
}

const STATUSES: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  MissingAuthenticationToken: 403,
  NoSuchChange: 404,
  NoSuchHostedZone: 404,
  ServiceUnavailable: 503,
};

/** A test double of Route 53 over HTTP: one hosted zone with the rules of the service, and configurable faults. */
export class Route53Double {
  readonly faults = new Route53Faults();
  /** Every signed call, also those that failed. */
  readonly calls: Route53Call[] = [];
  /** Number of calls that exceeded `rate`. */
  throttled = 0;
  /** Milliseconds until GetChange reports a change as INSYNC; 0: at once. Applies to earlier changes too. */
  latency = 0;
  readonly #zone: HostedZoneDouble;
  readonly #bucket: TokenBucket | undefined;
  readonly #now: () => number;
  /** Submission time of each change, by id. */
  readonly #changes = new Map<string, number>();
  readonly #server: Server = createServer((request, response) => {
    this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  constructor(private readonly options: Route53DoubleOptions = {}) {
    this.#now = options.now ?? Date.now;
    this.#zone = new HostedZoneDouble(options.domain ?? 'apps.example.com', options.mostSets ?? 10_000);
    this.#bucket = options.rate && new TokenBucket({ ...options.rate, now: this.#now });
  }

  /** @returns the endpoint, on a free port of this machine. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** The record sets, including the apex, in Route 53's order and spelling. */
  get records(): readonly ResourceRecordSet[] {
    return this.#zone.sets;
  }

  /** Sets a record of any type as another client would, without validation. */
  put(set: ResourceRecordSet): void {
    this.#zone.put(set);
  }

  /** Removes a record without validation. */
  drop(name: string, type: RRType): void {
    this.#zone.drop(name, type);
  }

  cnameOf(hostname: string): CnameRecord | undefined {
    const set = this.#zone.get(hostname, 'CNAME');
    return set && { target: set.ResourceRecords?.[0]?.Value ?? '', ttl: set.TTL ?? 0 };
  }

  /** Number of calls of an action. */
  count(action: Route53Action): number {
    return this.calls.filter((call) => call.action === action).length;
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await message.toArray()).toString();
    const url = new URL(message.url ?? '/', 'http://double');
    const action = actionOf(message.method, url);
    if (!action) return send(response, failure('InvalidAction'));
    if (!message.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) {
      return send(response, failure('MissingAuthenticationToken'));
    }
    this.calls.push({ action, changes: body.split('<Action>').length - 1 });
    const fault = this.faults.take(action);
    const answer = () => this.#answer({ action, url, body });
    if (fault !== undefined) return fail(fault, answer, response);
    send(response, answer());
  }

  #answer(request: Request): Answer {
    if (this.#bucket?.tryAcquire() === false) {
      this.throttled += 1;
      return failure('Throttling', 'Rate exceeded');
    }
    const [, , kind, id = ''] = request.url.pathname.split('/');
    if (kind === 'change') return this.#state(id);
    if (id !== (this.options.hostedZoneId ?? 'Z1')) return failure('NoSuchHostedZone');
    return request.action === 'ListResourceRecordSets' ? this.#list(request.url.searchParams) : this.#change(request);
  }

  #list(query: URLSearchParams): Answer {
    const from = { name: query.get('name') ?? '', type: query.get('type') ?? '' };
    return { status: 200, body: wire.writeListing(this.#zone.list(from, Number(query.get('maxitems') ?? 300))) };
  }

  #change({ body }: Request): Answer {
    const faults = this.#zone.apply(wire.readChangeBatch(body).Changes ?? []);
    if (faults.length > 0) {
      if (this.options.errorForm !== 'documented') return failure('InvalidChangeBatch', `[${faults.join(', ')}]`);
      return { status: 400, body: wire.writeDocumentedError('InvalidChangeBatch', faults) };
    }
    const id = `C${this.#changes.size + 1}`;
    this.#changes.set(id, this.#now());
    return { status: 200, body: wire.writeChange(this.#info(id)) };
  }

  #state(id: string): Answer {
    return this.#changes.has(id)
      ? { status: 200, body: wire.writeGetChange(this.#info(id)) }
      : failure('NoSuchChange', `A change with id ${id} does not exist`);
  }

  #info(id: string): ChangeInfo {
    const submitted = this.#changes.get(id) ?? 0;
    const Status = this.#now() - submitted >= this.latency ? 'INSYNC' : 'PENDING';
    return { Id: `/change/${id}`, Status, SubmittedAt: new Date(submitted) };
  }
}

function actionOf(method: string | undefined, { pathname }: URL): Route53Action | undefined {
  if (/^\/2013-04-01\/change\/[^/]+$/.test(pathname)) return method === 'GET' ? 'GetChange' : undefined;
  if (!/^\/2013-04-01\/hostedzone\/[^/]+\/rrset\/?$/.test(pathname)) return undefined;
  if (method === 'GET') return 'ListResourceRecordSets';
  return method === 'POST' ? 'ChangeResourceRecordSets' : undefined;
}

async function fail(fault: Route53Fault, answer: () => Answer, response: ServerResponse): Promise<void> {
  if (typeof fault === 'object') {
    if ('error' in fault) return send(response, failure(fault.error));
    if ('status' in fault) return send(response, { status: fault.status, body: '' });
    await pause(fault.delayMilliseconds);
    return send(response, answer());
  }
  if (fault === 'stall') {
    const { status, body } = answer();
    response.writeHead(status, { 'content-type': 'text/xml', 'content-length': body.length });
    response.write(body.slice(0, 40));
    return;
  }
  if (fault.endsWith('after-apply')) answer();
  if (fault.startsWith('reset')) response.socket?.resetAndDestroy();
}

function failure(code: string, message = code): Answer {
  return { status: STATUSES[code] ?? 400, body: wire.writeError(code, message) };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
}
