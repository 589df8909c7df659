import { createParser } from 'eventsource-parser';
import { ApiProblem, ConnectionFailed } from './api.errors';
import type { LogLineBody } from './generated/types.gen';
import type { Homeport } from './homeport';
import { TEMPORARY } from './retry-policy';

/** The server ends each stream after a minute and sends something every 16 s. */
const SILENCE_MS = 45_000;
const RECONNECT_MS = 1_000;
const MAX_RECONNECT_MS = 30_000;

export interface FollowOptions {
  /** Id of the deploy whose lines are wanted. Default: all deploys. */
  readonly deploy?: string | undefined;
  /** Time of the first line that is wanted, in the form of RFC 3339. */
  readonly since?: string | undefined;
  /** Id of the line before the first one. Without it and without `since`, begins with the last 100. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the connection was lost, before each further attempt. */
  readonly onInterruption?: ((error: unknown) => void) | undefined;
  /** Milliseconds without any byte until the connection counts as lost. Default: 45,000. */
  readonly silenceMs?: number;
}

/**
 * Follows the log of an app without an end. Reconnects when the connection is lost, and continues after the last line
 * that arrived.
 * @throws {ApiProblem | ConnectionFailed} when the first connection fails, or the server rejects a later one for good.
 * @throws the reason of an abort.
 */
export async function* followLog(
  homeport: Homeport,
  appId: string,
  { onInterruption, ...options }: FollowOptions = {},
): AsyncGenerator<LogLineBody, void> {
  let { after } = options;
  let failures = 0;
  for (let isConnected = false; ;) {
    try {
      for await (const line of connection(homeport, appId, { ...options, after })) {
        isConnected = true;
        failures = 0;
        if (line === undefined) continue;
        after = line.id;
        yield line;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      homeport.signal?.throwIfAborted();
      if (!isConnected || !isTemporary(error)) throw error;
      onInterruption?.(error);
      failures += 1;
    }
    const pauseMs = Math.min(RECONNECT_MS * 2 ** failures, MAX_RECONNECT_MS);
    await homeport.retries.wait(pauseMs, options.signal ?? homeport.signal ?? null);
  }
}

/** Yields each line of one connection, and undefined for bytes without one. Ends when the server is silent. */
async function* connection(
  homeport: Homeport,
  appId: string,
  { deploy, since, after, signal, silenceMs = SILENCE_MS }: FollowOptions,
): AsyncGenerator<LogLineBody | undefined, void> {
  const query = new URLSearchParams({ ...(deploy !== undefined && { deploy }), ...(since !== undefined && { since }) });
  const path = `/api/apps/${appId}/logs?${query}`.replace(/\?$/, '');
  const headers = { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) };
  const { body } = await homeport.send({ method: 'GET', path, headers, signal });
  const lines: LogLineBody[] = [];
  const parser = createParser({ onEvent: ({ data }) => lines.push(JSON.parse(data) as LogLineBody) });
  const decoder = new TextDecoder();
  const reader = (body ?? new Blob().stream()).getReader();
  const lost = (error: unknown) => Promise.reject(new ConnectionFailed(homeport.baseUrl, error));
  try {
    for (;;) {
      // Also ends a connection whose other side has disappeared.
      const timer = setTimeout(() => void reader.cancel().catch(() => undefined), silenceMs);
      const { done, value } = await reader
        .read()
        .catch(lost)
        .finally(() => clearTimeout(timer));
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield undefined;
      yield* lines.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function isTemporary(error: unknown): boolean {
  return (
    error instanceof ConnectionFailed || (error instanceof ApiProblem && [...TEMPORARY, 500].includes(error.status))
  );
}
