import { readFile } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import accepts from '@fastify/accept-negotiator';
import fastifyStatic from '@fastify/static';
import { NO_SESSION } from '@homeport/identity/contracts';
import { normalizedPathOf, rawPathOf } from '@homeport/platform/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a page of the client may do: run our own files, and nothing else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  // Angular, the CDK and the editor insert <style> elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  // What is drawn from a file is drawn in a sandbox.
  "frame-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types angular angular#bundler angular#components dompurify default',
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** Below it lie the pages that draw what others wrote. */
const SANDBOX = 'sandbox';
/**
 * Such a page has no origin, wherever it is opened: it runs its own scripts on what it is handed, and reaches nothing.
 * It may only be framed by us.
 */
const SANDBOX_HEADERS = {
  'content-security-policy': [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "frame-ancestors 'self'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** What the bundler names after its content, as it stands beside its compressed copies. */
const HASHED = /-[\w-]{8}\.(js|css)(\.br|\.gz)?$/;
/** Addresses that are never a page of the client, whatever the browser asks for. */
const NOT_PAGES = /^\/(api|auth|v1|health|metrics|docs)(\/|$)/;

export interface ClientPages {
  /** Whether a request that matches no route is a person opening a page of the client. */
  matches(request: FastifyRequest): boolean;
  /** @param hasSession whether the browser holds a session, which may have ended. */
  sendIndex(reply: FastifyReply, hasSession: boolean): FastifyReply;
}

/** The page's first question is who is there. It is asked along with the page, or answered at once with "nobody". */
const SESSION_HINTS = {
  held: { link: '</auth/session>; rel=preload; as=fetch; crossorigin' },
  none: { 'server-timing': NO_SESSION },
} as const;

/** By what the browser wants and not by the extension: `/view/notes.md` is a page too. */
function isNavigation(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html');
}

/** A script or picture that is gone must be missed: a page in its place would be taken for it. */
function looksLikeFile(request: FastifyRequest): boolean {
  return basename(rawPathOf(request.originalUrl)).includes('.');
}

/** What is said beside a file of the client. @param path of the file, below `folder`. */
export function headersFor(folder: string, path: string): Readonly<Record<string, string>> {
  return relative(resolve(folder), path).split(sep)[0] === SANDBOX ? SANDBOX_HEADERS : PAGE_HEADERS;
}

/** Serves the built client: its files by name, and its one page for every address that a browser navigates to. */
export async function serveClient(fastify: FastifyInstance, folder: string): Promise<ClientPages> {
  const root = resolve(folder);
  const index = await readPage(join(root, 'index.html'));
  await fastify.register(fastifyStatic, {
    root,
    wildcard: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const isHashed = HASHED.test(basename(path));
      const cacheControl = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
      void reply.headers({ ...headersFor(folder, path), 'cache-control': cacheControl });
    },
  });
  return {
    matches: (request) =>
      (request.method === 'GET' || request.method === 'HEAD') &&
      !NOT_PAGES.test(normalizedPathOf(request.originalUrl)) &&
      (isNavigation(request) || !looksLikeFile(request)),
    sendIndex: (reply, hasSession) => {
      const encoding = accepts.negotiate(reply.request.headers['accept-encoding'] ?? '', [...index.keys()]);
      const chosen = encoding ?? 'identity';
      void reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-cache', vary: 'Accept-Encoding, Cookie' });
      void reply.headers(hasSession ? SESSION_HINTS.held : SESSION_HINTS.none);
      if (chosen !== 'identity') void reply.header('content-encoding', chosen);
      return reply.type('text/html; charset=utf-8').send(index.get(chosen));
    },
  };
}

/** A page by its encodings, best first; as it is when the build has made no compressed copies. */
async function readPage(path: string): Promise<ReadonlyMap<string, Buffer>> {
  const encodings = [
    ['br', '.br'],
    ['gzip', '.gz'],
    ['identity', ''],
  ] as const;
  const found = new Map<string, Buffer>();
  for (const [encoding, extension] of encodings) {
    const bytes = await readFile(path + extension).catch((error: NodeJS.ErrnoException) => {
      if (extension === '' || error.code !== 'ENOENT') throw error;
    });
    if (bytes) found.set(encoding, bytes);
  }
  return found;
}
