import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { causeCodeOf, type ErrorRecord, errorRecord } from '../observability';

export interface StartFailure {
  readonly cause: string;
  /** The settings to correct. Without one, the failure may be a defect, and the record has a stack. */
  readonly settings?: readonly string[];
  readonly err: ErrorRecord;
}

/** Fields of the errors of Node.js. */
interface SystemError {
  readonly syscall?: unknown;
  readonly port?: unknown;
  readonly address?: unknown;
  readonly hostname?: unknown;
  readonly path?: unknown;
}

const LISTENING = ['listen', 'bind'];
/** The port is in use, or only root may listen on it. */
const PORT_CODES = ['EADDRINUSE', 'EACCES'];
/** PostgreSQL rejects the user, the password, the database or a parameter, or is starting. */
const REJECTED_BY_POSTGRES = /^(08P01|22023|28000|28P01|3D000|42501|42704|57P03|tls-unsupported)$/;
const TOO_MANY_CONNECTIONS = '53300';
const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|timeout|connection-terminated)$/;

/**
 * Describes for the log why a program could not start, and names the settings that an operator has to correct.
 * @param config the parsed settings by name.
 */
export function startFailureOf(error: unknown, config: Readonly<Record<string, unknown>>): StartFailure {
  const cause = causeCodeOf(error);
  const settings = settingsToCorrect(Object(error) as SystemError, cause, config);
  if (settings.length === 0) return { cause, err: errorRecord(error) };
  return { cause, settings, err: errorRecord(error, false) };
}

function settingsToCorrect(error: SystemError, code: string, config: Readonly<Record<string, unknown>>): string[] {
  const namesWhere = (pattern: RegExp, holds: (value: unknown) => boolean) =>
    Object.keys(config).filter((name) => pattern.test(name) && holds(config[name]));
  if (LISTENING.includes(String(error.syscall))) {
    return PORT_CODES.includes(code)
      ? namesWhere(/PORT$/, (value) => value === error.port)
      : namesWhere(/HOST$/, (value) => value === error.address);
  }
  const { path, hostname } = error;
  if (typeof path === 'string') {
    const names = namesWhere(/./, (value) => contains(value, path));
    return names.length === 0 && contains(tmpdir(), path) ? ['TMPDIR'] : names;
  }
  const hosts = typeof hostname === 'string' ? namesWhere(/HOST$/, (value) => value === hostname) : [];
  if (hosts.length > 0) return hosts;
  if (code === TOO_MANY_CONNECTIONS) return ['DATABASE_POOL_SIZE'];
  // Programs start without their other dependencies.
  return REJECTED_BY_POSTGRES.test(code) || UNREACHABLE.test(code) ? ['DATABASE_URL'] : [];
}

function contains(value: unknown, path: string): boolean {
  if (typeof value !== 'string') return false;
  return [value, ...filesIn(value)].some((each) => path === each || `${path}/`.startsWith(`${resolve(each)}/`));
}

/** Files that an address names, such as the certificate in `sslrootcert`. */
function filesIn(value: string): string[] {
  return [...(URL.parse(value)?.searchParams.values() ?? [])].filter((each) => each.startsWith('/'));
}
