import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { loadOrCreate } from '../private-file.ts';
import { DevelopmentAuthority } from './authority.ts';
import { type Order, Orders } from './orders.ts';
import { AcmeProblem } from './problem.ts';
import { type SignedRequest, thumbprintOf, verifyBinding, verifyRequest } from './signed-request.ts';

export interface AcmeOptions {
  dataDir: string;
  /** Default: a free one. */
  port?: number;
  /** How long certificates are valid. Default: 90. */
  days?: number;
}

export interface RunningAcme {
  port: number;
  /** The URL of the directory. */
  directory: string;
  /** The file with the root certificate in PEM. */
  rootFile: string;
  /** New accounts have to be bound to it; the key in base64url. */
  externalAccount: { keyId: string; key: string };
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

const KEY_ID = 'homeport';
const MAX_NONCES = 1_000;
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Starts a certificate authority for development on loopback, which speaks ACME (RFC 8555). It issues certificates for
 * any name to those who know the key in the data folder, and keeps its root there.
 */
export async function startAcme({ dataDir, port = 0, days }: AcmeOptions): Promise<RunningAcme> {
  const folder = join(dataDir, 'acme');
  const authority = await DevelopmentAuthority.open(folder, days);
  const createKey = () => randomBytes(32).toString('base64url');
  const key = await loadOrCreate(join(folder, 'account-key.json'), z.string(), createKey);
  const server = createServer((request, response) => void acme.handle(request, response));
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(void server.off('error', reject)));
  });
  const { port: actual } = server.address() as AddressInfo;
  const acme = new AcmeServer(`http://127.0.0.1:${actual}`, new Orders(authority), key);
  return {
    port: actual,
    directory: `http://127.0.0.1:${actual}/directory`,
    rootFile: authority.certificateFile,
    externalAccount: { keyId: KEY_ID, key },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers requests. Accounts, orders and nonces last until it stops: clients register and order again. */
class AcmeServer {
  readonly #nonces = new Set<string>();
  /** Keys by the URL of the account. */
  readonly #accounts = new Map<string, SignedRequest['key']>();

  readonly #origin: string;
  readonly #orders: Orders;
  readonly #accountKey: string;

  constructor(origin: string, orders: Orders, accountKey: string) {
    this.#origin = origin;
    this.#orders = orders;
    this.#accountKey = accountKey;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body, headers } = await this.#answer(request).catch(answerOf);
    const isText = typeof body === 'string';
    const type = isText ? 'application/pem-certificate-chain' : 'application/json';
    const common = { 'Replay-Nonce': this.#newNonce(), 'Cache-Control': 'no-store', 'Content-Type': type };
    response.writeHead(status, { ...common, ...headers });
    response.end(body === undefined ? '' : isText ? body : JSON.stringify(body));
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const { headers, method, url: path = '/' } = request;
    // Pages that a browser opens under another name cannot use it.
    if (`http://${headers.host}` !== this.#origin) throw new AcmeProblem('unauthorized', 'The host is wrong.', 421);
    if (path === '/nonce') return { status: method === 'HEAD' ? 200 : 204 };
    if (path === '/directory' && method === 'GET') return { status: 200, body: this.#directory() };
    if (method !== 'POST') throw new AcmeProblem('malformed', 'This resource does not exist.', 404);
    const signed = await verifyRequest(await bodyOf(request), {
      url: this.#origin + path,
      useNonce: (nonce) => this.#nonces.delete(nonce),
      keyOf: (account) => this.#accounts.get(account),
    });
    return this.#route(path, signed);
  }

  async #route(path: string, signed: SignedRequest): Promise<Answer> {
    if (path === '/account') return this.#register(signed);
    const { account, payload } = signed;
    if (account === undefined) throw new AcmeProblem('malformed', 'The request has to name its account.');
    const [, resource = '', id = '', action] = path.split('/');
    if (path === '/order') {
      const order = this.#orders.add(account, payload);
      return { ...this.#show(order), status: 201 };
    }
    const order = this.#orders.find(account, id);
    if (resource === 'order' && action === 'finalize') await this.#orders.finalize(order, payload);
    if (resource === 'order') return this.#show(order);
    if (resource === 'authorization') return { status: 200, body: authorizationOf(order, Number(action)) };
    if (resource === 'certificate' && order.chain !== undefined) return { status: 200, body: order.chain };
    throw new AcmeProblem('malformed', 'This resource does not exist.', 404);
  }

  async #register(signed: SignedRequest): Promise<Answer> {
    await verifyBinding(signed, this.#accountKey);
    const url = `${this.#origin}/account/${await thumbprintOf(signed.key)}`;
    const isKnown = this.#accounts.has(url);
    this.#accounts.set(url, signed.key);
    return { status: isKnown ? 200 : 201, body: { status: 'valid' }, headers: { Location: url } };
  }

  #directory(): unknown {
    const origin = this.#origin;
    const meta = { externalAccountRequired: true };
    return { newNonce: `${origin}/nonce`, newAccount: `${origin}/account`, newOrder: `${origin}/order`, meta };
  }

  #show({ id, names, chain }: Order): Answer {
    const url = `${this.#origin}/order/${id}`;
    const body = {
      status: chain === undefined ? 'ready' : 'valid',
      identifiers: names.map((value) => ({ type: 'dns', value })),
      authorizations: names.map((_, at) => `${this.#origin}/authorization/${id}/${at}`),
      finalize: `${url}/finalize`,
      ...(chain !== undefined && { certificate: `${this.#origin}/certificate/${id}` }),
    };
    return { status: 200, body, headers: { Location: url } };
  }

  #newNonce(): string {
    const nonce = randomBytes(16).toString('base64url');
    this.#nonces.add(nonce);
    const [oldest = ''] = this.#nonces;
    if (this.#nonces.size > MAX_NONCES) this.#nonces.delete(oldest);
    return nonce;
  }
}

function authorizationOf({ names }: Order, at: number): unknown {
  const name = names[at];
  if (name === undefined) throw new AcmeProblem('malformed', 'This authorization does not exist.', 404);
  const isWildcard = name.startsWith('*.');
  const identifier = { type: 'dns', value: isWildcard ? name.slice(2) : name };
  return { status: 'valid', identifier, challenges: [], ...(isWildcard && { wildcard: true }) };
}

/** @throws {AcmeProblem} */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > MAX_BODY_BYTES)
    throw new AcmeProblem('malformed', 'The body needs a length of at most 64 KiB.', 413);
  try {
    return JSON.parse(await text(request));
  } catch {
    throw new AcmeProblem('malformed', 'The body is not JSON.');
  }
}

function answerOf(error: unknown): Answer {
  const known = error instanceof AcmeProblem;
  const { type, status, message } = known ? error : new AcmeProblem('serverInternal', String(error), 500);
  return { status, body: { type, status, detail: message }, headers: { 'Content-Type': 'application/problem+json' } };
}
