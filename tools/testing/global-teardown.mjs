// Jest's global tear-down: stops what the set-up started and removes its folder.
import { rm } from 'node:fs/promises';
import { removePostgresData } from '../dev-services/postgres/data-location.ts';

export default async function stop() {
  const { running, dataDir } = globalThis.homeportUnderTest;
  for (const each of running) await each.close();
  await removePostgresData(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}
