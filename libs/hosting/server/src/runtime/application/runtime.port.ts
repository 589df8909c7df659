import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { InstanceState } from '../domain/instance-state';
import type { Revision } from '../domain/revision';

/** A running server, for reports. */
export interface RunningInstance {
  /** A UUID. */
  readonly id: string;
  readonly state: InstanceState;
  readonly startedOn: Date;
  /** 0 until it is measured. */
  readonly memoryBytes: number;
  /** Requests since its start. */
  readonly requests: number;
  /** Updates `memoryBytes`. */
  measure(): Promise<void>;
}

/** What a runtime knows of a revision. */
export interface RunningRevision {
  readonly appId: string;
  readonly revision: Revision;
  readonly instances: ReadonlySet<RunningInstance>;
  /** Whether an instance serves requests. */
  readonly isReady: boolean;
  readonly isCrashLooping: boolean;
  /** Why the last start failed or the last instance crashed; undefined while the revision works. */
  readonly failure: string | undefined;
  /** Whether another revision of the app gets its requests. */
  readonly isReplaced: boolean;
}

/** A request of an edge, and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A request for a WebSocket. */
export interface UpgradeExchange {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that followed the head of the request. */
  readonly rest: Buffer;
  /** Aborts when the runtime stops: the connection must end. Default: never. */
  readonly closing?: AbortSignal;
}

/** How a server answered its first request. */
export interface FirstRequest {
  /** undefined without a response. */
  readonly status: number | undefined;
  /** Why there is no response, without a full stop. */
  readonly error?: string;
  /** The last lines of the log. */
  readonly log: readonly string[];
}

/**
 * Runs the servers of apps. The lines that they write go to the log of the runtime program. Every method that takes a
 * revision can reject with RevisionNotFound and DatabaseUnavailable, and runs the current version of its variables.
 */
export abstract class Runtime {
  /** The revisions that run, and those that keep something outside this process until they are retired. */
  abstract get revisions(): Iterable<RunningRevision>;

  /** Resolves when apps may run. @throws {Error} that says what is missing, such as SandboxBreached. */
  abstract ready(signal: AbortSignal): Promise<void>;

  /** Starts a new deploy once, and requests `/`. Repeating is safe. @throws {RuntimeFailed} when it does not start. */
  abstract prepare(revision: Revision): Promise<FirstRequest>;

  /** Starts a revision that will get requests soon. Does nothing when it runs. */
  abstract warm(revision: Revision): Promise<void>;

  /**
   * Forwards a request, and streams the response. Resolves when the response has ended; one that breaks off closes the
   * connection.
   * @throws {RuntimeFailed} @throws {ForwardFailed} before anything is sent.
   */
  abstract handle(revision: Revision, exchange: Exchange): Promise<void>;

  /**
   * Connects a WebSocket. Resolves when it has closed.
   * @throws {RuntimeFailed} @throws {ForwardFailed} @throws {WebSocketsUnsupported} before anything is sent.
   */
  abstract upgrade(revision: Revision, exchange: UpgradeExchange): Promise<void>;

  /** Ends a revision that must not run any more, and removes what it keeps. Repeating is safe. */
  abstract retire(revision: Revision): Promise<void>;

  /** Checks all limits of time. Call it several times a second. */
  abstract sweep(): void;

  /** Ends everything in this process. New requests are rejected. */
  abstract close(graceMs: number): Promise<void>;
}
