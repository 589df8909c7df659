import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import { rawPathOf } from '@homeport/platform/server';
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

const HASHED = /-[A-Z0-9]{8}\.\w+$/;
/** Addresses that are never a page of the client, whatever the browser asks for. */
const NOT_PAGES = /^\/(api|auth|v1|health|docs)(\/|$)/;

export interface ClientPages {
  /** Whether a request that matches no route is a person opening a page of the client. */
  wants(request: FastifyRequest): boolean;
  sendIndex(reply: FastifyReply): FastifyReply;
}

/** By what the browser wants and not by the extension: `/view/notes.md` is a page too. */
function isNavigation(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html');
}

/** The path as the router reads it, as far as it is made of plain characters; the others stay encoded. */
function plainPathOf(request: FastifyRequest): string {
  return rawPathOf(request.originalUrl).replace(/%[0-7][\da-f]/gi, decodeURIComponent);
}

/** A script or picture that is gone must be missed: a page in its place would be taken for it. */
function looksLikeFile(request: FastifyRequest): boolean {
  return basename(rawPathOf(request.originalUrl)).includes('.');
}

/** Serves the built client: its files by name, and its one page for every address that a browser navigates to. */
export async function serveClient(fastify: FastifyInstance, folder: string): Promise<ClientPages> {
  const index = await readFile(join(folder, 'index.html'));
  await fastify.register(fastifyStatic, {
    root: resolve(folder),
    wildcard: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = HASHED.test(basename(path));
      const cacheControl = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
      void reply.headers({ ...PAGE_HEADERS, 'cache-control': cacheControl });
    },
  });
  return {
    wants: (request) =>
      (request.method === 'GET' || request.method === 'HEAD') &&
      !NOT_PAGES.test(plainPathOf(request)) &&
      (isNavigation(request) || !looksLikeFile(request)),
    sendIndex: (reply) =>
      reply
        .headers({ ...PAGE_HEADERS, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(index),
  };
}
