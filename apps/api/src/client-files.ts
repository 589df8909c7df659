import { readFile } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import accepts from '@fastify/accept-negotiator';
import fastifyStatic from '@fastify/static';
import { NO_SESSION } from '@homeport/identity/contracts';
import { normalizedPathOf, rawPathOf } from '@homeport/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Restricts client pages to files of the same origin. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  // Angular, the CDK and the editor insert <style> elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  // Content from user files is rendered in sandboxed frames of the same origin.
  "frame-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
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

/** The folder of the pages that render untrusted content. */
const SANDBOX = 'sandbox';
/**
 * Sandbox pages have an opaque origin and no network access, also when they are opened directly. They run their scripts
 * on the data they receive. Only client pages may frame them.
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

/** Names with a content hash from the bundler, with or without the extension of a compressed copy. */
const HASHED = /-[\w-]{8}\.(js|css)(\.br|\.gz)?$/;
/** Paths that are never a client page. */
const NOT_PAGES = /^\/(api|auth|v1|health|metrics|docs)(\/|$)/;

export interface ClientPages {
  /** Whether a request that matches no route opens a client page. */
  matches(request: FastifyRequest): boolean;
  /** @param hasSession whether the browser sent a session cookie; the session may have expired. */
  sendIndex(reply: FastifyReply, hasSession: boolean): FastifyReply;
}

/**
 * Saves a round trip for the first request of the page, which loads the session: preloads it when there is a cookie,
 * and otherwise tells the page that there is no session.
 */
const SESSION_HINTS = {
  held: { link: '</auth/session>; rel=preload; as=fetch; crossorigin' },
  none: { 'server-timing': NO_SESSION },
} as const;

/** Decides by `Accept` and not by the extension, because `/view/notes.md` is a page too. */
function isNavigation(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html');
}

/** A missing script or image must respond with 404: the browser would take a page in its place for the file. */
function looksLikeFile(request: FastifyRequest): boolean {
  return basename(rawPathOf(request.originalUrl)).includes('.');
}

/** @returns the security headers of a client file. @param path the path of the file below `folder`. */
export function headersFor(folder: string, path: string): Readonly<Record<string, string>> {
  return relative(resolve(folder), path).split(sep)[0] === SANDBOX ? SANDBOX_HEADERS : PAGE_HEADERS;
}

/** Serves the built client: its files by name and its page for every path that a browser navigates to. */
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
      const chosenEncoding = encoding ?? 'identity';
      void reply.headers({ ...PAGE_HEADERS, 'cache-control': 'no-cache', vary: 'Accept-Encoding, Cookie' });
      void reply.headers(hasSession ? SESSION_HINTS.held : SESSION_HINTS.none);
      if (chosenEncoding !== 'identity') void reply.header('content-encoding', chosenEncoding);
      return reply.type('text/html; charset=utf-8').send(index.get(chosenEncoding));
    },
  };
}

/** @returns the page by encoding, best first; only uncompressed when the build has no compressed copies. */
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
