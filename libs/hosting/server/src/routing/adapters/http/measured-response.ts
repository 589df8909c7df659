import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** `site`: the edge, with files, redirects and error pages. `server`: the server of an app. `health`: a health check. */
export type ServedBy = 'site' | 'server' | 'health';

/** A request whose response has begun. */
export interface MeasuredVisit {
  readonly servedBy: ServedBy;
  readonly status: number;
  /** Until the head of the response, so that slow visitors do not count. */
  readonly seconds: number;
}

const SERVED_BY = Symbol('servedBy');

type HeaderFields = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** States what answers a request. Default: the site. */
export function markServedBy(response: ServerResponse, servedBy: ServedBy): void {
  (response as { [SERVED_BY]?: ServedBy })[SERVED_BY] = servedBy;
}

/**
 * Returns the response class of a server that measures its requests. Its cost is part of every request, so it records
 * when the head is written and adds no listener.
 * @param responses the class to extend, such as that of the request log.
 */
export function measuredResponses(
  responses: typeof ServerResponse,
  onVisit: (visit: MeasuredVisit) => void,
): typeof ServerResponse {
  return class MeasuredResponse<Request extends IncomingMessage> extends responses<Request> {
    readonly #startedAt = performance.now();
    [SERVED_BY]?: ServedBy;

    override writeHead(status: number, first?: string | HeaderFields, second?: HeaderFields): this {
      // Informational responses precede the response.
      if (status >= 200) {
        const seconds = (performance.now() - this.#startedAt) / 1_000;
        onVisit({ servedBy: this[SERVED_BY] ?? 'site', status, seconds });
      }
      return typeof first === 'string' ? super.writeHead(status, first, second) : super.writeHead(status, first);
    }
  };
}
