/** Documented in docs/cli.md; scripts depend on them. */
export const EXIT_CODES = {
  ok: 0,
  failed: 1,
  usage: 2,
  unauthenticated: 3,
  notFound: 4,
  conflict: 5,
  rejected: 6,
  unavailable: 7,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof EXIT_CODES;

/** An expected error: what happened, and what to do next. */
export class CliError extends Error {
  override readonly name: string = 'CliError';

  constructor(
    message: string,
    readonly exit: ExitName,
    /** What to do next, as a sentence. */
    readonly nextStep?: string,
  ) {
    super(message);
  }
}

/** The command line is incomplete or wrong. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';

  constructor(message: string, nextStep?: string) {
    super(message, 'usage', nextStep);
  }
}

/** Another program than Homeport answers at the address, for example the sign-in page of a network. */
export class NotHomeport extends CliError {
  override readonly name = 'NotHomeport';

  constructor(url: string) {
    const nextStep = 'Check the address (--url or HOMEPORT_URL) and the network, then repeat the command.';
    super(`${url} does not answer like a Homeport server.`, 'unavailable', nextStep);
  }
}

/** No credentials are stored for this server, and none are in the environment. */
export class NotSignedIn extends CliError {
  override readonly name = 'NotSignedIn';

  constructor(url: string) {
    super(`Not signed in to ${url}.`, 'unauthenticated', 'Run "homeport login", or set HOMEPORT_TOKEN.');
  }
}
