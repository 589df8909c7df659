/** What the servers of an app do. `idle`: none runs, and the next visit starts one. */
export const RUNTIME_STATES = ['none', 'starting', 'ready', 'idle', 'crash-loop'] as const;
export type RuntimeState = (typeof RUNTIME_STATES)[number];

export const INSTANCE_STATES = ['launching', 'ready', 'frozen', 'draining', 'stopped', 'crashed'] as const;
export type InstanceState = (typeof INSTANCE_STATES)[number];

export const LOG_STREAMS = ['stdout', 'stderr', 'system'] as const;
export type LogStream = (typeof LOG_STREAMS)[number];

/** What an SSR app shows of its servers. */
export interface AppRuntime {
  readonly state: RuntimeState;
  /** How many instances exist. */
  readonly instances: number;
  /** Why the state is `crash-loop`, or why a restart failed. */
  readonly reason?: string;
}

/** One process of a server. */
export interface RuntimeInstance {
  readonly id: string;
  readonly deploy_id: string;
  readonly state: InstanceState;
  /** RFC 3339, UTC. */
  readonly started_at: string;
  readonly memory_bytes: number;
  /** Answered requests. */
  readonly requests: number;
}

/** The limits of the servers of an app. */
export interface RuntimeLimits {
  readonly instances: number;
  /** Of one instance; so are the following limits. */
  readonly memory_bytes: number;
  readonly cpus: number;
  readonly processes: number;
  readonly tmp_bytes: number;
  /** Requests at the same time. */
  readonly concurrency: number;
  readonly start_seconds: number;
  readonly first_byte_seconds: number;
  readonly response_seconds: number;
  readonly request_bytes: number;
}

/** `GET /api/apps/{id}/runtime`. */
export interface RuntimeDetails {
  readonly state: RuntimeState;
  readonly reason: string | null;
  readonly instances: readonly RuntimeInstance[];
  readonly limits: RuntimeLimits;
}

/** One line that a server wrote, or that the runtime wrote about it. */
export interface LogLine {
  readonly id: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly stream: LogStream;
  readonly line: string;
  readonly deploy_id: string;
  readonly instance_id: string;
}

/** `GET /api/apps/{id}/logs`: oldest first. */
export interface LogPage {
  readonly items: readonly LogLine[];
  /** Null when there are no later lines yet. */
  readonly next_cursor: string | null;
}
