import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Writes a program in place of `bwrap`, which changes the options that the sandbox chooses, to open a wall.
 * @param folder that the users of apps can enter. The program is in a folder below it.
 * @param edit a script of Perl for the options, each followed by a zero byte.
 * @returns the path of the program.
 */
export async function editedBubblewrap(folder: string, edit: string): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-c', 'command -v bwrap']);
  const programs = join(folder, 'edited');
  await mkdir(programs, { recursive: true });
  await chmod(programs, 0o755);
  await writeFile(join(programs, 'edit.pl'), edit);
  await writeFile(join(programs, 'bwrap'), scriptFor(stdout.trim()));
  for (const [name, mode] of Object.entries({ 'edit.pl': 0o644, bwrap: 0o755 }))
    await chmod(join(programs, name), mode);
  return join(programs, 'bwrap');
}

/** The options come from the descriptor that the second argument names. Standard input belongs to the app. */
function scriptFor(bubblewrap: string): string {
  return `#!/bin/sh
[ "$1" = --args ] || exec '${bubblewrap}' "$@"
given=$2
shift 2
exec 9<&0
perl -0777 -p "\${0%/*}/edit.pl" <&"$given" | exec '${bubblewrap}' --args 8 "$@" 8<&0 0<&9 9<&-
`;
}
