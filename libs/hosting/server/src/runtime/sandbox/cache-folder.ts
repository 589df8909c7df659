import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxSpec } from '../application/sandbox.port';

/** Creates the cache folder of a plan in the bundle: a read-only folder cannot get a mount point later. */
export async function createCacheFolder({ appFolder, plan }: Pick<SandboxSpec, 'appFolder' | 'plan'>): Promise<void> {
  if (plan.cacheFolder !== undefined) await mkdir(join(appFolder, plan.cacheFolder), { recursive: true, mode: 0o755 });
}
