import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { isBelow, parseDomainName } from './domain-name.ts';
import type { Zone } from './zone.ts';

export interface ControlOptions {
  zone: Zone;
  token: string;
  port: number;
}

interface Answer {
  status: number;
  body?: unknown;
}

const MAX_BODY_BYTES = 16 * 1024;
const hostName = z.string().transform((text, context) => {
  const name = parseDomainName(text);
  if (name === undefined) context.addIssue({ code: 'custom', message: 'not a host name' });
  return name ?? z.NEVER;
});
const recordBody = z.strictObject({
  type: z.literal('CNAME'),
  value: hostName,
  ttl: z.int().min(0).max(0x7fff_ffff).default(60),
});

/** The HTTP endpoint through which the API changes records. Loopback only. */
export function listenForControl(options: ControlOptions): Promise<Server> {
  const server = createServer((request, response) => {
    route(options, request)
      .catch((error: unknown): Answer => ({ status: 500, body: { message: String(error) } }))
      .then((answer) => send(response, answer));
  });
  server.requestTimeout = 10_000;
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(options.port, '127.0.0.1', () => resolve(server.off('error', reject)));
  });
}

async function route({ zone, token }: ControlOptions, request: IncomingMessage): Promise<Answer> {
  if (!sameText(request.headers.authorization ?? '', `Bearer ${token}`)) return { status: 401 };
  const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
  const match = url && /^\/records(?:\/([^/]+))?$/.exec(url.pathname);
  if (!url || !match) return { status: 404 };
  if (match[1] === undefined) {
    return request.method === 'GET' ? { status: 200, body: zone.records } : { status: 405 };
  }
  const name = parseDomainName(match[1]);
  if (!name || !isBelow(name, zone.domain)) {
    return { status: 422, body: { message: `Not a name below ${zone.domain}: ${match[1]}` } };
  }
  if (request.method === 'GET') return get(zone, name);
  if (request.method === 'PUT') return put(zone, name, request);
  if (request.method === 'DELETE') return remove(zone, name, url.searchParams.get('value'));
  return { status: 405 };
}

function get(zone: Zone, name: string): Answer {
  const record = zone.find(name);
  return record ? { status: 200, body: record } : { status: 404 };
}

async function put(zone: Zone, name: string, request: IncomingMessage): Promise<Answer> {
  const length = request.headers['content-length'];
  if (length === undefined) return { status: 411 };
  if (Number(length) > MAX_BODY_BYTES) return { status: 413 };
  const body = recordBody.safeParse(await json(request).catch(() => undefined));
  if (!body.success) return { status: 400, body: { message: z.prettifyError(body.error) } };
  const { outcome, record } = await zone.put({ name, ...body.data });
  return { status: { created: 201, unchanged: 200, conflict: 409 }[outcome], body: record };
}

async function remove(zone: Zone, name: string, text: string | null): Promise<Answer> {
  const value = text === null ? undefined : parseDomainName(text);
  if (text !== null && value === undefined) return { status: 400, body: { message: 'value: not a host name' } };
  const result = await zone.delete(name, value);
  return result.outcome === 'conflict' ? { status: 409, body: result.record } : { status: 204 };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.statusCode = status;
  if (body === undefined) {
    response.end();
    return;
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

function sameText(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
