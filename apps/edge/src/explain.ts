import { explainProgram } from '@homeport/platform/server/process';

const USAGE = `Usage: node dist/api/apps/edge/src/main.js

Starts an edge, which serves deployed apps. docs/operations.md describes the variables that it reads. It has no command:
the doctor of the API checks the database and the storage.

  --help  prints this text`;

/** Answers a call with arguments: the edge takes none. @returns the exit code. */
export function explain(args: readonly string[]): number {
  return explainProgram(args, USAGE);
}
