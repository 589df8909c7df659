/** Why a runtime did not answer a request with a response of the app. The edge renders its page from it. */
export const RUNTIME_FAILURES = ['runtime-crashed', 'queue-full', 'start-failed', 'timeout'] as const;
export type RuntimeFailure = (typeof RUNTIME_FAILURES)[number];

/** The runtime has no response of the app for a request. */
export class RuntimeFailed extends Error {
  /** @param retryAfterMs when a repeated request may succeed. */
  constructor(
    readonly failure: RuntimeFailure,
    reason: string,
    readonly retryAfterMs = 1_000,
  ) {
    super(reason);
    this.name = 'RuntimeFailed';
  }
}

/** There is no such deploy, or it has no server. */
export class RevisionNotFound extends Error {
  constructor(deployId: string) {
    super(`The deploy ${deployId} has no server.`);
    this.name = 'RevisionNotFound';
  }
}

/** This runtime connects no WebSockets. */
export class WebSocketsUnsupported extends Error {
  constructor() {
    super('This runtime does not support WebSockets.');
    this.name = 'WebSocketsUnsupported';
  }
}
