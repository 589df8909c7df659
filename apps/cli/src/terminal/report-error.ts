import { ApiProblem, ConnectionFailed } from '@homeport/api-client';
import { CliError, EXIT_CODES, type ExitName } from '../cli.errors';
import type { Terminal } from './terminal';

interface Report {
  readonly exit: ExitName;
  readonly code: string;
  readonly message: string;
  readonly nextStep?: string | undefined;
  readonly request_id?: string | undefined;
  readonly errors?: readonly { readonly field: string; readonly reason: string }[];
}

/** Prints an error with its next step; with `--json`, as a JSON document on stderr. @returns the exit code. */
export function reportError(terminal: Terminal, error: unknown): number {
  const { exit, nextStep = NEXT_STEPS[exit], ...report } = reportOf(error);
  if (exit === 'ok') return EXIT_CODES.ok;
  if (terminal.isJson) {
    terminal.noteJson({ error: { ...report, next_step: nextStep } });
    return EXIT_CODES[exit];
  }
  terminal.note(`Error: ${report.message}`);
  for (const { field, reason } of report.errors ?? []) {
    // Each line of a server that did not start is one of these errors.
    terminal.note(field === 'log' ? `  ${reason}` : `  ${field}: ${reason}`);
  }
  if (nextStep !== undefined) terminal.note(nextStep);
  if (report.request_id) terminal.note(`Request ${report.request_id} (${report.code})`);
  return EXIT_CODES[exit];
}

function reportOf(error: unknown): Report {
  if (error instanceof CliError) {
    return { exit: error.exit, code: `cli.${error.exit}`, message: error.message, nextStep: error.nextStep };
  }
  if (error instanceof ApiProblem) {
    const { code, detail: message, request_id, errors } = error;
    return { exit: exitOf(error), nextStep: NEXT_STEPS_OF_PROBLEMS[code], code, message, request_id, errors };
  }
  if (error instanceof ConnectionFailed) {
    const nextStep = 'Check the address (--url or HOMEPORT_URL) and the network, then repeat the command.';
    return { exit: 'unavailable', code: 'cli.unavailable', message: error.message, nextStep };
  }
  // The reader of the output has what it needs.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return { exit: 'ok', code: 'cli.ok', message: '' };
  if (isAbort(error)) return { exit: 'interrupted', code: 'cli.interrupted', message: 'Interrupted.' };
  return { exit: 'failed', code: 'cli.failed', message: error instanceof Error ? error.message : String(error) };
}

function exitOf({ status, code }: ApiProblem): ExitName {
  if (code === 'platform.idempotency-in-progress') return 'unavailable';
  if (status === 401) return 'unauthenticated';
  if (status === 403 || status === 404) return 'notFound';
  if (status === 409 || status === 412) return 'conflict';
  if (status === 408 || status === 429 || status >= 500) return 'unavailable';
  return 'rejected';
}

/** The next steps of errors without a specific one. */
const NEXT_STEPS: Readonly<Record<ExitName, string | undefined>> = {
  ok: undefined,
  failed: 'Repeat the command. If it fails again, report this message.',
  usage: 'See "homeport --help" and "homeport <command> --help".',
  unauthenticated: 'Run "homeport login", or set a valid HOMEPORT_TOKEN.',
  notFound: 'Check the name or the id.',
  conflict: 'Check the current state, then repeat the command.',
  rejected: 'Correct what the message names, then repeat the command.',
  unavailable: 'Repeat the command; what was sent is not sent again.',
  interrupted: undefined,
};

/** The next steps of errors of the API, by their code. */
const NEXT_STEPS_OF_PROBLEMS: Readonly<Record<string, string>> = {
  'apps.deploy-not-found': 'List the deploys with "homeport deploys list".',
  'apps.no-server': 'Build the app, then deploy the output of the build.',
  'apps.not-found': 'List the apps with "homeport apps list".',
  'apps.nothing-to-roll-back': 'Name a deploy with --to; list them with "homeport deploys list".',
  'apps.quota-exceeded': 'Delete an app that is not in use: "homeport apps delete <app>".',
  'apps.start-failed': 'Fix the server, then deploy again. The whole log: "homeport logs <app>".',
  'apps.subdomain-taken': 'Choose another name.',
  'http.404': 'Check the address of the server (--url or HOMEPORT_URL).',
  'files.not-found': 'List the files with "homeport files ls -r".',
  'identity.organization-required': 'Sign in with an account of an organization.',
  'identity.scope-required':
    'Sign in with "homeport login", or use a token with this scope: "homeport tokens create --help".',
  'identity.token-quota-exceeded': 'List the tokens with "homeport tokens list".',
  'identity.trust-quota-exceeded': 'List the trusts with "homeport trusts list <app>".',
  'platform.rate-limited': 'Wait a minute, then repeat the command.',
};

function isAbort(error: unknown): boolean {
  return (error as { name?: unknown } | undefined)?.name === 'AbortError';
}
