import type { IncomingMessage } from 'node:http';
import type { Header } from '@homeport/hosting/contracts';
import type { ClientConnection } from '@homeport/platform/server/network';
import { endToEndHeaders } from '../../../runtime/adapters/http/end-to-end-headers';
import {
  DEPLOY_HEADER,
  isRuntimeHeader,
  SCOPE_HEADER,
  VERSION_HEADER,
} from '../../../runtime/adapters/http/runtime-headers';
import type { DeployedSite } from '../../application/site-resolver';

/** Fields about the visitor, which visitors themselves must not set. */
const REPLACED = /^(?:forwarded|host|x-forwarded-.+|x-real-ip|x-request-id|x-homeport-.+)$/;

/**
 * Response fields that apps cannot set: browsers remember some for a host beyond its owner, proxies act on others, and
 * the edge sets the rest.
 */
const REJECTED = new Set([
  'alt-svc',
  'nel',
  'report-to',
  'x-accel-redirect',
  'x-deploy-id',
  'x-request-id',
  'x-reproxy-url',
  'x-sendfile',
]);

export interface ForwardedRequest {
  readonly site: DeployedSite & Required<Pick<DeployedSite, 'server'>>;
  /** As the visitor sent it. */
  readonly host: string;
  readonly requestId: string;
  readonly connection: ClientConnection;
}

/** The header fields of a request to the server of a site. @returns alternating names and values. */
export function forwardedHeaders(
  request: Pick<IncomingMessage, 'rawHeaders'>,
  { site, host, requestId, connection: { address, isEncrypted } }: ForwardedRequest,
): string[] {
  const version = String(site.server.version);
  return [
    ...['Host', host],
    ...endToEndHeaders(request.rawHeaders, (name) => REPLACED.test(name)),
    ...['X-Forwarded-For', address || 'unknown', 'X-Forwarded-Proto', isEncrypted ? 'https' : 'http'],
    ...['X-Forwarded-Host', host, 'X-Request-Id', requestId],
    ...[DEPLOY_HEADER, site.deploy.id, VERSION_HEADER, version],
    ...[SCOPE_HEADER, site.kind === 'preview' ? 'preview' : 'production'],
  ];
}

export interface ServerResponseOptions {
  readonly site: DeployedSite;
  readonly requestId: string;
  /** Fields of the site's own rules, which replace those of its server. */
  readonly rules: readonly Header[];
  /** Whether the response is for one visitor and must not be cached. */
  readonly isPersonal: boolean;
}

/** The header fields of a server's response to a visitor. @returns alternating names and values. */
export function visibleHeaders(
  upstream: Pick<IncomingMessage, 'rawHeaders' | 'headers'>,
  { site, requestId, rules, isPersonal }: ServerResponseOptions,
): string[] {
  const isPreview = site.kind === 'preview';
  const own = new Map(rules.map(([name, value]) => [name, value]));
  // Sites cannot override this: previews stay out of search engines.
  if (isPreview) own.set('x-robots-tag', 'noindex');
  if (isPersonal) own.set('cache-control', 'no-store');
  // Without the field, caches may store a response that is meant for one visitor.
  else if (!own.has('cache-control') && upstream.headers['cache-control'] === undefined)
    own.set('cache-control', 'private, no-cache');
  own.set('x-content-type-options', 'nosniff');
  const fields = endToEndHeaders(
    upstream.rawHeaders,
    (name) => REJECTED.has(name) || isRuntimeHeader(name) || own.has(name),
  );
  // The owner of a host name decides which of its other hosts get a cookie.
  if (site.domain?.kind !== 'hostname') confineCookies(fields);
  for (const [name, value] of own) fields.push(name, value);
  fields.push('X-Request-Id', requestId);
  if (isPreview) fields.push('X-Deploy-Id', site.deploy.id);
  return fields;
}

/** Removes `Domain` from cookies: a cookie of the platform's domain, or of a base domain, would reach other sites. */
function confineCookies(fields: string[]): void {
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index]?.length !== 10 || fields[index]?.toLowerCase() !== 'set-cookie') continue;
    fields[index + 1] = (fields[index + 1] as string)
      .split(';')
      .filter((attribute, position) => position === 0 || !/^\s*domain\s*(?:=|$)/i.test(attribute))
      .join(';');
  }
}
