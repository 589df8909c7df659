import { ApiProblem, ConnectionFailed } from '@homeport/api-client';
import { CliError, EXIT_CODES, type ExitName } from '../cli.errors';
import { printable } from './printable';
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
  const { exit, ...report } = reportOf(error);
  if (exit === 'ok') return EXIT_CODES.ok;
  if (terminal.isJson) {
    const { nextStep, ...rest } = report;
    terminal.note(JSON.stringify({ error: { ...rest, next_step: nextStep } }, null, 2));
    return EXIT_CODES[exit];
  }
  terminal.note(`Error: ${report.message}`);
  for (const { field, reason } of report.errors ?? []) {
    // Each line of a server that did not start is one of these errors.
    terminal.note(field === 'log' ? `  ${printable(reason)}` : `  ${field}: ${reason}`);
  }
  if (report.nextStep !== undefined) terminal.note(report.nextStep);
  if (report.request_id) terminal.note(`Request ${report.request_id} (${report.code})`);
  return EXIT_CODES[exit];
}

function reportOf(error: unknown): Report {
  if (error instanceof CliError) {
    return { exit: error.exit, code: `cli.${error.exit}`, message: error.message, nextStep: error.nextStep };
  }
  if (error instanceof ApiProblem) {
    const { code, detail: message, request_id, errors } = error;
    return { ...outcomeOf(error), code, message, request_id, errors };
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

const NEXT_STEPS: Readonly<Record<string, string>> = {
  'apps.not-found': 'List the apps with "homeport apps list".',
  'apps.deploy-not-found': 'List the deploys with "homeport deploys list".',
  'apps.nothing-to-roll-back': 'Name a deploy with --to; list them with "homeport deploys list".',
  'apps.start-failed': 'Fix the server, then deploy again. The whole log: "homeport logs <app>".',
  'apps.no-server': 'Build the app, then deploy the output of the build.',
  'apps.subdomain-taken': 'Choose another name.',
  'files.not-found': 'List the files with "homeport files ls -r".',
};

function outcomeOf({ status, code }: ApiProblem): Pick<Report, 'exit' | 'nextStep'> {
  if (status === 401)
    return { exit: 'unauthenticated', nextStep: 'Run "homeport login", or set a valid HOMEPORT_TOKEN.' };
  if (code === 'identity.scope-required') {
    return { exit: 'notFound', nextStep: 'Use a token with this scope: see "homeport tokens create --help".' };
  }
  if (status === 403 || status === 404) return { exit: 'notFound', nextStep: NEXT_STEPS[code] };
  if (status === 409 || status === 412) return { exit: 'conflict', nextStep: NEXT_STEPS[code] };
  if (status === 429)
    return { exit: 'unavailable', nextStep: 'Too many requests: wait a minute, then repeat the command.' };
  if (status >= 500) return { exit: 'unavailable', nextStep: 'Repeat the command; what was sent is not sent again.' };
  return { exit: 'rejected', nextStep: NEXT_STEPS[code] };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
