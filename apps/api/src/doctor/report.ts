import type { CheckReport } from './check';

/** Shorter values are also parts of ordinary words. */
const MIN_SECRET_LENGTH = 4;
const STATUS_WIDTH = 'skipped'.length + 1;

/** One line: the status, the name, what was found and how to correct it. */
export function lineOf({ status, name, detail, remedy }: CheckReport, nameWidth: number): string {
  const text = remedy === undefined ? detail : `${detail} ${remedy}`;
  return `${status.padEnd(STATUS_WIDTH)} ${name.padEnd(nameWidth)}  ${text}`;
}

/** The last line. */
export function summaryOf(reports: readonly CheckReport[]): string {
  const count = (status: CheckReport['status']) => reports.filter((report) => report.status === status).length;
  const [faults, warnings, skipped] = [count('fault'), count('warning'), count('skipped')];
  const rest = [
    ...(warnings === 0 ? [] : [plural(warnings, 'warning')]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  return `${[faults === 0 ? 'No fault' : plural(faults, 'fault'), ...rest].join(', ')}.`;
}

/** All reports as JSON. Each text is redacted before JSON escapes characters of a secret. */
export function documentOf(checks: readonly CheckReport[], redacted: (text: string) => string): string {
  const value = (_key: string, found: unknown) => (typeof found === 'string' ? redacted(found) : found);
  return JSON.stringify({ checks }, value, 2);
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Replaces secrets in a text. No finding contains one on purpose; services could repeat one in an answer. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const distinct = [...new Set(secrets)]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .toSorted((one, other) => other.length - one.length);
  return (text) => distinct.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text);
}

const SECRET_NAME = /KEY|SECRET|TOKEN|PASSWORD/;
/** Ids are public, and often equal to names that findings contain. */
const ID_NAME = /_ID$/;

/** The values of an environment that must not be printed. @param shown the variables that hold no secret. */
export function secretsIn(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
  shown: readonly string[],
): string[] {
  const hidden = names
    .filter((name) => SECRET_NAME.test(name) && !ID_NAME.test(name) && !shown.includes(name))
    .flatMap((name) => env[name] ?? []);
  const { password = '', searchParams } = URL.parse(env['DATABASE_URL'] ?? '') ?? {};
  const passwords = [password, decoded(password), ...(searchParams?.getAll('password') ?? [])];
  // Programs use values without the spaces around them.
  return [...hidden.flatMap((value) => [value, ...value.split(',')]).map((value) => value.trim()), ...passwords];
}

/** PostgreSQL's driver accepts passwords with a percent sign that encodes nothing. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
