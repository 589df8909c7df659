import { visit as visitAt, type VisitResponse, type VisitOptions } from '@homeport/apps/server/testing';
import { settings } from '../homeport';

interface EdgeVisitOptions extends VisitOptions {
  /** Of an edge other than the product's own. */
  readonly port?: number;
}

/**
 * Visits an address of a deployed app. Node does not resolve names under `localhost`, so it is the edge that is called,
 * and the host only named.
 */
export function visit(address: string, options?: EdgeVisitOptions): Promise<VisitResponse> {
  const { hostname, pathname, search } = new URL(address);
  return visitHost(hostname, pathname + search, options);
}

/** The same with a host and a target as they are put on the wire. */
export function visitHost(
  host: string,
  target: string,
  { port = Number(settings['EDGE_PORT']), ...options }: EdgeVisitOptions = {},
): Promise<VisitResponse> {
  return visitAt(port, { host: `${host}:${port}`, target }, options);
}
