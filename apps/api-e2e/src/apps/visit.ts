import { visit as visitAt, type VisitResponse, type VisitOptions } from '@homeport/hosting/server/testing/visit';
import { settings } from '../homeport';

interface EdgeVisitOptions extends VisitOptions {
  /** Port of another edge than the product's own. */
  readonly port?: number;
}

/**
 * Requests an address of a deployed app. Node does not resolve names below `localhost`, so this connects to the edge
 * and sends the host in the header field.
 */
export function visit(address: string, options?: EdgeVisitOptions): Promise<VisitResponse> {
  const { hostname, pathname, search } = new URL(address);
  return visitHost(hostname, pathname + search, options);
}

/** The same with a raw host and target. */
export function visitHost(
  host: string,
  target: string,
  { port = Number(settings['EDGE_PORT']), ...options }: EdgeVisitOptions = {},
): Promise<VisitResponse> {
  return visitAt(port, { host: `${host}:${port}`, target }, options);
}
