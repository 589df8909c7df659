import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startNameServer } from '../name-server/index.ts';
import type { NameServerOptions, NameServerPlan, RunningNameServer } from '../name-server/index.ts';
import { startDaemon } from '../system-programs.ts';
import type { Daemon } from '../system-programs.ts';
import { configurationOf } from './configuration.ts';
import type { ZoneConfiguration } from './configuration.ts';
import { BIND } from './programs.ts';

export interface BindOptions extends NameServerOptions {
  /** The key and zone sections. Default: those of docs/operations.md. */
  zoneConfigurationOf?: ZoneConfiguration;
}

/** Starts BIND with one zone that accepts signed updates. */
export function startBind({ zoneConfigurationOf, ...options }: BindOptions): Promise<RunningNameServer> {
  return startNameServer(BIND, options, (plan) => launch(plan, zoneConfigurationOf));
}

async function launch(plan: NameServerPlan, zoneConfiguration?: ZoneConfiguration): Promise<Daemon> {
  // AppArmor restricts /usr/sbin/named to system folders; the profile does not apply to a copy at another path.
  const program = join(plan.folder, 'named');
  await copyFile(join(plan.programs.get('named') ?? '', 'named'), program);
  await writeFile(join(plan.folder, 'named.conf'), configurationOf(plan, zoneConfiguration), { mode: 0o600 });
  return startDaemon(program, ['-g', '-n', '1', '-c', 'named.conf'], plan.folder);
}
