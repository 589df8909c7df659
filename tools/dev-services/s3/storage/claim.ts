import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { hasCode, SetupFailed } from '../../errors.ts';
import { ownMark, stillRuns } from '../../processes.mjs';
import type { ProcessMark } from '../../processes.mjs';

/**
 * Makes this process the only one to use the folder: at its start a second one would take the files of the first for
 * leftovers and remove them. Answers how to give it back. Throws SetupFailed when a running process has it.
 */
export function claimFolder(folder: string): () => void {
  const claim = join(folder, 'owner.json');
  const candidate = join(folder, `owner.${randomUUID()}`);
  writeFileSync(candidate, JSON.stringify(ownMark()));
  try {
    takeOver(claim);
    // A link fails when the name is taken: of two processes that start together one wins.
    linkSync(candidate, claim);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw inUse(folder, readMark(claim)?.pid);
    throw error;
  } finally {
    rmSync(candidate, { force: true });
  }
  return () => rmSync(claim, { force: true });
}

function takeOver(claim: string): void {
  const mark = readMark(claim);
  if (mark && stillRuns(mark)) return;
  rmSync(claim, { force: true });
}

function inUse(folder: string, pid: number | undefined): SetupFailed {
  return new SetupFailed(`${folder} is in use by process ${pid ?? 'unknown'}. Stop that one, or set another DATA_DIR.`);
}

function readMark(claim: string): ProcessMark | undefined {
  try {
    return JSON.parse(readFileSync(claim, 'utf8')) as ProcessMark;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
