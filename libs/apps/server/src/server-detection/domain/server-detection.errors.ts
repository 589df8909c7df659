import { DomainError, type FieldProblem } from '@homeport/kernel';

/** The upload of an SSR app has no server. */
export class NoServer extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'apps.no-server';

  /** @param reason what is missing, and what to do. */
  constructor(
    reason = 'The upload has no server that Homeport recognizes. Deploy the output of the build of your framework, or a ' +
      'folder with "server.js", "index.js", or a "package.json" whose start script is "node <file>". Register a static ' +
      'app for a site without a server.',
  ) {
    super(reason);
  }
}

/** The server of an upload was recognized, but cannot be started as it is. `fields` names the file. */
export class UnsupportedServerBuild extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'apps.unsupported-server';
  override readonly fields: readonly FieldProblem[];

  /** @param reason what is wrong, and what to do. */
  constructor(path: string, reason: string) {
    super(reason);
    this.fields = [{ field: path, reason }];
  }
}

/** The server of a deploy did not start, or answered its first request with an error. `fields` has its last lines. */
export class StartFailed extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'apps.start-failed';
  override readonly fields: readonly FieldProblem[];

  /** @param log the last lines that the server wrote. */
  constructor(
    reason: string,
    readonly log: readonly string[],
  ) {
    super(reason);
    this.fields = log.map((line) => ({ field: 'log', reason: line }));
  }
}
