import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder with the files of a bundle, readable for every user as the runtime writes it. */
export interface AppFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** @param files contents by path. */
export async function appFolder(files: Readonly<Record<string, string>>): Promise<AppFolder> {
  const path = await mkdtemp(join(tmpdir(), 'homeport-app-'));
  await chmod(path, 0o755);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true, mode: 0o755 });
    await writeFile(join(path, name), content, { mode: 0o644 });
  }
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
