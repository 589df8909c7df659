import { BodySchemas } from './body-schemas.ts';
import {
  type DescribedResponse,
  type MediaType,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  readDocument,
  resolved,
} from './openapi-document.ts';

export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the body was not read. */
  readonly body?: string | undefined;
}

interface Route {
  readonly path: string;
  readonly pattern: RegExp;
}

const PROBLEM = 'application/problem+json';
/** Any response may have it. The document names it where callers need the size before the body. */
const FRAMING = 'Content-Length';
/** The rest of the address space has the client and the reference, which OpenAPI does not describe. */
const API = /^\/(api|auth|v1|health)(\/|$)/;
/** Codes of requests that no operation handles. */
const UNROUTED: Readonly<Record<number, readonly string[]>> = {
  404: ['platform.no-route'],
  405: ['platform.method-not-allowed'],
};

/** Compares responses with the OpenAPI document. */
export class ResponseContract {
  readonly #routes: readonly Route[];
  readonly #headers: ReadonlySet<string>;
  readonly #schemas: BodySchemas;

  readonly #document: OpenApiDocument;

  constructor(document = readDocument()) {
    this.#document = document;
    const paths = [...new Set(operationsOf(document).map(({ path }) => path))];
    this.#routes = paths.map((path) => ({ path, pattern: patternOf(path) }));
    this.#headers = new Set(Object.keys(document.components.headers));
    this.#schemas = new BodySchemas(document);
  }

  /** @returns the differences between a response and the document. */
  violations(exchange: Exchange): string[] {
    const { pathname } = new URL(exchange.url);
    if (!API.test(pathname)) return [];
    const faults = this.#faults(exchange, pathname);
    const { method, status } = exchange;
    return faults.map((fault) => `${method} ${pathname.slice(0, 100)} ${status}: ${fault}`);
  }

  #faults(exchange: Exchange, pathname: string): string[] {
    const { method, status, body } = exchange;
    const operation = this.#operation(method, pathname);
    if (operation === undefined) return this.#unroutedFaults(exchange);
    const described = operation.responses[status] ?? operation.responses['default'];
    if (described === undefined) return [`the document has no such status; the body is ${body?.slice(0, 300)}`];
    return [...this.#contentFaults(described, exchange), ...this.#headerFaults(described, exchange)];
  }

  /** Every GET also serves HEAD; the document has those that are of use. */
  #operation(method: string, pathname: string): Operation | undefined {
    if (!isDecodable(pathname)) return undefined;
    const path = this.#routes.find(({ pattern }) => pattern.test(pathname))?.path;
    const operations = path === undefined ? undefined : this.#document.paths[path];
    return operations?.[method.toLowerCase()] ?? (method === 'HEAD' ? operations?.['get'] : undefined);
  }

  #unroutedFaults({ status, headers, body }: Exchange): string[] {
    const codes = UNROUTED[status];
    if (codes === undefined) return ['the document has no such operation'];
    const { code } = (body ? JSON.parse(body) : { code: codes[0] }) as { code?: string };
    return mediaTypeOf(headers) === PROBLEM && codes.includes(code ?? '') ? [] : [`${code} is not a code of it`];
  }

  #contentFaults(described: DescribedResponse, { method, status, headers, body }: Exchange): string[] {
    const content = described.content ?? {};
    if (method === 'HEAD' || status === 304) return body ? ['a body where there is none'] : [];
    const type = mediaTypeOf(headers);
    const entry = Object.entries(content).find(([each]) => each === '*/*' || each === type);
    if (entry === undefined)
      return Object.keys(content).length > 0 || type !== undefined ? [`${type} is no described media type`] : [];
    const [, media] = entry;
    if (!isJson(type) || body === undefined || media.schema?.['format'] === 'binary') return [];
    return this.#jsonFaults(media, body);
  }

  #jsonFaults(media: MediaType, text: string): string[] {
    const body: unknown = JSON.parse(text);
    const faults = media.schema ? this.#schemas.faults(media.schema, body) : [];
    const codes = Object.keys(media.examples ?? {});
    const code = (body as { code?: unknown } | null)?.code;
    const isProblem = media.schema?.['$ref'] === '#/components/schemas/Problem';
    return isProblem && !codes.includes(String(code)) ? [...faults, `the code ${code} is not described`] : faults;
  }

  #headerFaults({ headers: described = {} }: DescribedResponse, { headers }: Exchange): string[] {
    const missing = Object.entries(described).filter(
      ([name, header]) => resolved(this.#document, header).required === true && !headers.has(name),
    );
    const surplus = [...this.#headers].filter((name) => headers.has(name) && !(name in described) && name !== FRAMING);
    return [
      ...missing.map(([name]) => `the header ${name} is missing`),
      ...surplus.map((name) => `the header ${name} is not described`),
    ];
  }
}

/** The router has no route for a path with a malformed escape. */
function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace('{path}', '.+').replace(/\{\w+\}/g, '[^/]+')}$`);
}

function mediaTypeOf(headers: Headers): string | undefined {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
}

export function isJson(type: string | undefined): boolean {
  return type !== undefined && /^application\/(.+\+)?json$/.test(type);
}
