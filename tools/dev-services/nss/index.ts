import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupFailed } from '../errors.ts';
import { findPrograms, installAdvice, runTool } from '../system-programs.ts';
import { CERTUTIL } from './programs.ts';

/**
 * Makes a home folder with which Chromium on Linux trusts a root certificate, as `npm run trust` explains.
 * @param home an empty folder; the `HOME` of the browser.
 * @param rootFile the certificate in PEM.
 * @param path the PATH, on which certutil is searched first.
 * @throws {SetupFailed} without certutil.
 */
export async function trustInBrowser(home: string, rootFile: string, path?: string): Promise<void> {
  const folder = (await findPrograms(CERTUTIL, path))?.get('certutil');
  if (folder === undefined) throw new SetupFailed(installAdvice(CERTUTIL));
  const database = join(home, '.pki', 'nssdb');
  await mkdir(database, { recursive: true });
  const certutil = join(folder, 'certutil');
  await runTool(certutil, ['-d', `sql:${database}`, '-N', '--empty-password'], home);
  await runTool(
    certutil,
    ['-d', `sql:${database}`, '-A', '-t', 'C,,', '-n', 'homeport-development', '-i', rootFile],
    home,
  );
}
