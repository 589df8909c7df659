import { type Environment, InvalidConfig } from '@homeport/platform/server/config';
import { type Config, ENVIRONMENT_NAMES, loadConfig, LOGGED_SETTINGS } from '../config';
import { type CheckReport, runChecks } from './check';
import { checksOf } from './checks';
import { misspelledVariables } from './misspelled-variables';
import { documentOf, lineOf, redactor, secretsIn, summaryOf } from './report';

const NAME_WIDTH = 'database-connections'.length;

export interface Doctor {
  readonly env: Environment;
  /** Prints one JSON document, `{"checks":[{"name","status","detail","remedy","code"}]}`, in place of lines. */
  readonly isJson: boolean;
  readonly print: (line: string) => void;
  /** Ends the checks early. They remove their probes, and nothing more is printed. */
  readonly stop?: AbortSignal;
}

/**
 * Checks the configuration against the real services. Prints a line for each check, and no secret.
 * @returns whether no check found a fault.
 */
export async function examineConfiguration({ env, isJson, print, stop }: Doctor): Promise<boolean> {
  const redacted = redactor(secretsIn(env, ENVIRONMENT_NAMES, LOGGED_SETTINGS));
  const reports: CheckReport[] = [];
  for await (const report of reportsOf(env, stop)) {
    if (stop?.aborted === true) continue;
    reports.push(report);
    if (!isJson) print(redacted(lineOf(report, NAME_WIDTH)));
  }
  if (stop?.aborted === true) return false;
  print(isJson ? documentOf(reports, redacted) : summaryOf(reports));
  return !reports.some(({ status }) => status === 'fault');
}

async function* reportsOf(env: Environment, stop: AbortSignal | undefined): AsyncGenerator<CheckReport, void, void> {
  const config = configOrIssues(env);
  const misspelled = misspelledVariables(env, ENVIRONMENT_NAMES);
  if (Array.isArray(config)) {
    for (const issue of config as readonly string[]) yield faultOf(issue);
    yield* misspelled;
    return;
  }
  const detail = 'Every variable is set or has a default, and has the right form.';
  yield { name: 'configuration', status: 'ok', detail };
  yield* misspelled;
  yield* runChecks(checksOf(config as Config, env), { stop });
}

function configOrIssues(env: Environment): Config | readonly string[] {
  try {
    return loadConfig(env);
  } catch (error) {
    if (error instanceof InvalidConfig) return error.issues;
    throw error;
  }
}

/** @param issue such as `S3_BUCKET is missing`. */
function faultOf(issue: string): CheckReport {
  const [variable = ''] = issue.split(' ', 1);
  const remedy = `Set ${variable} as docs/operations.md describes it, and run the command again: it examines the services when all variables are valid.`;
  return { name: 'configuration', status: 'fault', detail: `${issue}.`, remedy };
}
