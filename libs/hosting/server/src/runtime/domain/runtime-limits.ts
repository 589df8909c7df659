const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const KIB = 1024;
const MIB = 1024 * KIB;

/** The limits of servers of apps. Times are in milliseconds, sizes in bytes. */
export interface RuntimeLimits {
  /** Of one instance. Beyond it the system ends the instance. */
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly processes: number;
  readonly tmpBytes: number;
  /** Until a new instance listens. */
  readonly startMs: number;
  /** Until the first byte of a response. */
  readonly firstByteMs: number;
  /** Until the end of a response. */
  readonly responseMs: number;
  /** Without a byte in either direction of a WebSocket. */
  readonly webSocketIdleMs: number;
  readonly bodyBytes: number;
  /**
   * A visitor that sends or reads fewer bytes in a window, in milliseconds of waiting for that visitor, may be
   * disconnected while other requests wait.
   */
  readonly visitorRate: { readonly bytes: number; readonly windowMs: number; readonly graceMs: number };
  /** Concurrent requests of one instance. */
  readonly concurrency: number;
  /** Requests of a revision that wait for an instance, and for how long. */
  readonly queueLength: number;
  readonly queueMs: number;
  /** Instances of an app, over all of its revisions that no other one has replaced. */
  readonly instances: number;
  /** Without a request, until an instance is frozen, and until it is stopped. */
  readonly freezeAfterMs: number;
  readonly stopAfterMs: number;
  /** How long requests and streams of a replaced revision may continue. */
  readonly drainRequestsMs: number;
  readonly drainStreamsMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly stopGraceMs: number;
  readonly logBytesPerSecond: number;
  readonly logLineBytes: number;
}

export const RUNTIME_LIMITS: RuntimeLimits = {
  memoryBytes: 256 * MIB,
  cpus: 1,
  processes: 64,
  tmpBytes: 64 * MIB,
  startMs: 10 * SECOND,
  firstByteMs: 30 * SECOND,
  responseMs: 5 * MINUTE,
  webSocketIdleMs: 5 * MINUTE,
  bodyBytes: 10 * MIB,
  visitorRate: { bytes: 32 * KIB, windowMs: 5 * SECOND, graceMs: 0 },
  concurrency: 50,
  queueLength: 100,
  queueMs: 10 * SECOND,
  instances: 2,
  freezeAfterMs: 10 * SECOND,
  stopAfterMs: 5 * MINUTE,
  drainRequestsMs: 30 * SECOND,
  drainStreamsMs: 5 * MINUTE,
  stopGraceMs: 10 * SECOND,
  logBytesPerSecond: 64 * KIB,
  logLineBytes: 16 * KIB,
};
