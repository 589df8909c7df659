import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUBBLEWRAP, findPrograms } from '@homeport/dev-services';

const run = promisify(execFile);
/** 16 files of a page each. */
const DISK_BYTES = 65_536;
const folderOfBwrap = (await findPrograms(BUBBLEWRAP))?.get('bwrap') ?? '';

/** A command that runs another one for which a folder is a small disk. */
export function onSmallDisk(folder: string): readonly string[] {
  const disk = ['--size', String(DISK_BYTES), '--tmpfs', folder];
  return [join(folderOfBwrap, 'bwrap'), '--die-with-parent', '--dev-bind', '/', '/', ...disk, '--'];
}

/** Containers and some systems do not allow the namespaces that bubblewrap needs. */
export const canLimitDisk =
  folderOfBwrap !== '' &&
  (await run(onSmallDisk('/tmp')[0] as string, [...onSmallDisk('/tmp').slice(1), 'true']).then(
    () => true,
    () => false,
  ));
