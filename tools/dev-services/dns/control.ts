import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import type { ChallengeRecords } from './challenge-records.ts';
import { isBelow, parseDomainName } from './domain-name.ts';
import { PRACTICE_TYPES } from './practice-records.ts';
import type { PracticeRecords } from './practice-records.ts';
import type { Zone } from './zone.ts';

export interface ControlOptions {
  zone: Zone;
  practice: PracticeRecords;
  challenges: ChallengeRecords;
  token: string;
  port: number;
}

interface Answer {
  status: number;
  body?: unknown;
}

/** Large enough for the maximum number of changes with the longest names. */
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_CHANGES = 1_000;
const hostName = z.string().transform((text, context) => {
  const name = parseDomainName(text);
  if (name === undefined) context.addIssue({ code: 'custom', message: 'not a host name' });
  return name ?? z.NEVER;
});
const recordData = z.strictObject({ value: hostName, ttl: z.int().min(0).max(0x7fff_ffff) });
const changesBody = z
  .array(z.strictObject({ name: hostName, before: recordData.optional(), after: recordData.optional() }))
  .max(MAX_CHANGES)
  .refine((changes) => new Set(changes.map(({ name }) => name)).size === changes.length, 'a name is listed twice');

/** ASCII that fits into one text of a TXT record. */
const CHALLENGE_VALUE = /^[\x20-\x7e]{1,255}$/;
const practiceEntry = z.strictObject({
  name: z.string().regex(/^(\*\.)?[a-z0-9_.-]{1,253}$/),
  type: z.enum(PRACTICE_TYPES),
  values: z.array(z.string().max(255)).max(20),
});

/** Starts the HTTP endpoint through which the API changes records. Loopback only. */
export function startControlServer(options: ControlOptions): Promise<Server> {
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

async function route(options: ControlOptions, request: IncomingMessage): Promise<Answer> {
  const { zone, practice, challenges, token } = options;
  if (!equalsInConstantTime(request.headers.authorization ?? '', `Bearer ${token}`)) return { status: 401 };
  const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
  if (pathname === '/changes') return request.method === 'POST' ? change(zone, request) : { status: 405 };
  const practised = /^\/practice\/([^/]+)\/([A-Z]+)$/.exec(pathname);
  if (practised) return request.method === 'PUT' ? practise(practice, practised, request) : { status: 405 };
  const challenge = /^\/challenges\/([^/]+)\/([^/]+)$/.exec(pathname);
  if (challenge) return changeChallenge(challenges, challenge, request.method);
  const match = /^\/records(?:\/([^/]+))?$/.exec(pathname);
  if (!match) return { status: 404 };
  if (request.method !== 'GET') return { status: 405 };
  return match[1] === undefined ? { status: 200, body: zone.records } : get(zone, match[1]);
}

function get(zone: Zone, text: string): Answer {
  const name = parseDomainName(text);
  if (!name || !isBelow(name, zone.domain)) return outsideZone(zone, text);
  const record = zone.find(name);
  // The name in the body distinguishes an absent record from an unknown route.
  return record ? { status: 200, body: record } : { status: 404, body: { name } };
}

async function change(zone: Zone, request: IncomingMessage): Promise<Answer> {
  const length = request.headers['content-length'];
  if (length === undefined) return { status: 411 };
  if (Number(length) > MAX_BODY_BYTES) return { status: 413 };
  const { success, data, error } = changesBody.safeParse(await json(request).catch(() => undefined));
  if (!success) return { status: 422, body: { message: z.prettifyError(error) } };
  const outsider = data.find(({ name }) => !isBelow(name, zone.domain));
  if (outsider) return outsideZone(zone, outsider.name);
  const conflicts = await zone.change(data);
  return conflicts.length ? { status: 409, body: { conflicts } } : { status: 200, body: {} };
}

async function practise(practice: PracticeRecords, match: RegExpExecArray, request: IncomingMessage): Promise<Answer> {
  const [, name = '', type] = match;
  const entry = {
    name: decodeURIComponent(name).toLowerCase(),
    type,
    values: await json(request).catch(() => undefined),
  };
  const { success, data, error } = practiceEntry.safeParse(entry);
  if (!success) return { status: 422, body: { message: z.prettifyError(error) } };
  await practice.set(data);
  return { status: 204 };
}

async function changeChallenge(
  challenges: ChallengeRecords,
  [, first = '', second = '']: RegExpExecArray,
  method: string | undefined,
): Promise<Answer> {
  const [text, value] = [first, second].map(decodeURIComponent) as [string, string];
  const name = parseDomainName(text);
  if (!name || !challenges.covers(name) || name === challenges.zone || !CHALLENGE_VALUE.test(value)) {
    return {
      status: 422,
      body: { message: `Not a challenge below ${challenges.zone ?? 'ACME_ZONE, which is not set'}: ${text}` },
    };
  }
  if (method === 'PUT') await challenges.add(name, value);
  else if (method === 'DELETE') await challenges.remove(name, value);
  else return { status: 405 };
  return { status: 204 };
}

function outsideZone(zone: Zone, text: string): Answer {
  return { status: 422, body: { message: `Not a name below ${zone.domain}: ${text}` } };
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

function equalsInConstantTime(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
