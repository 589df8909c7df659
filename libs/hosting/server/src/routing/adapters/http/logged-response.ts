import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SiteHostnames } from '@homeport/hosting/contracts';
import { requestIdOf } from '@homeport/platform/server/node-http';
import type { Logger } from 'pino';
import { parseHost } from './edge-host';

/** Which requests the edge logs: none, those with a status of 400 or above, or all. */
export const EDGE_REQUEST_LOGS = ['off', 'errors', 'all'] as const;
export type EdgeRequestLog = (typeof EDGE_REQUEST_LOGS)[number];

export interface RequestLogOptions {
  readonly requests: EdgeRequestLog;
  readonly hostnames: SiteHostnames;
  readonly log: Pick<Logger, 'info'>;
  /** Default: requests have no trace. */
  readonly traceIdOf?: ((request: IncomingMessage) => string | undefined) | undefined;
}

type HeaderFields = OutgoingHttpHeaders | OutgoingHttpHeader[];

const FIRST_LOGGED: Readonly<Record<Exclude<EdgeRequestLog, 'off'>, number>> = { all: 0, errors: 400 };

/**
 * Returns the response class of a server that logs its requests, one line each. When the head is written, the status
 * decides whether the request is logged; a request that is not logged costs one comparison. A line has the site and the
 * deploy but no path, query, address or user agent: deployed apps put invitations and password resets into their paths.
 */
export function loggedResponses({ requests, hostnames, log, traceIdOf }: RequestLogOptions): typeof ServerResponse {
  if (requests === 'off') return ServerResponse;
  const firstLogged = FIRST_LOGGED[requests];
  return class LoggedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    readonly #startedAt = performance.now();

    override writeHead(status: number, first?: string | HeaderFields, second?: HeaderFields): this {
      const message = typeof first === 'string' ? first : undefined;
      const given = typeof first === 'object' ? first : second;
      const send = (fields?: HeaderFields) =>
        message === undefined ? super.writeHead(status, fields) : super.writeHead(status, message, fields);
      if (status < firstLogged) return send(given);
      const fields = toFlatHeaders(given);
      const requestId = requestIdOf(this.req);
      this.#logWhenClosed(requestId, fields);
      // Visitors can quote the id, which identifies the log line.
      return send([...fields, 'X-Request-Id', requestId]);
    }

    #logWhenClosed(requestId: string, fields: readonly OutgoingHttpHeader[]): void {
      const { method, headers, socket } = this.req;
      const bytesBefore = socket.bytesWritten;
      const parsedHost = headers.host === undefined ? undefined : parseHost(headers.host, hostnames);
      this.once('close', () => {
        log.info(
          {
            request_id: requestId,
            trace_id: traceIdOf?.(this.req),
            method,
            site: parsedHost?.kind === 'site' ? hostnames.labelOf(parsedHost.hostname) : undefined,
            deploy_id: headerValue(fields, 'X-Deploy-Id'),
            status: this.statusCode,
            bytes: bytesSince(bytesBefore, socket),
            ms: Math.round((performance.now() - this.#startedAt) * 10) / 10,
          },
          this.writableFinished ? 'request' : 'client disconnected before the response ended',
        );
      });
    }
  };
}

/** The bytes sent since then, including the head. With pipelining, they include those of the previous response. */
function bytesSince(bytesBefore: number, socket: Socket): number {
  return Math.max(0, socket.bytesWritten - bytesBefore);
}

/** @returns alternating names and values. */
function toFlatHeaders(fields: HeaderFields = []): OutgoingHttpHeader[] {
  if (!Array.isArray(fields))
    return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  // Node also accepts an array of pairs.
  return Array.isArray(fields[0]) ? fields.flat() : fields;
}

/** @param fields alternating names and values. */
function headerValue(fields: readonly OutgoingHttpHeader[], name: string): string | undefined {
  const at = fields.findIndex((field, index) => index % 2 === 0 && String(field).toLowerCase() === name.toLowerCase());
  return at < 0 ? undefined : String(fields[at + 1]);
}
