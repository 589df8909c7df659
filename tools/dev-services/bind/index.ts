import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startNameServer } from '../name-server/index.ts';
import type { NameServerOptions, NameServerPlan, RunningNameServer } from '../name-server/index.ts';
import { startDaemon } from '../system-programs.ts';
import type { Daemon } from '../system-programs.ts';
import { configurationOf } from './configuration.ts';
import { BIND } from './programs.ts';

/** Starts BIND with one zone that accepts signed updates. */
export function startBind(options: NameServerOptions): Promise<RunningNameServer> {
  return startNameServer(BIND, options, launch);
}

async function launch(plan: NameServerPlan): Promise<Daemon> {
  // AppArmor restricts /usr/sbin/named to system folders; the profile does not apply to a copy at another path.
  const program = join(plan.folder, 'named');
  await copyFile(join(plan.programs.get('named') ?? '', 'named'), program);
  await writeFile(join(plan.folder, 'named.conf'), configurationOf(plan), { mode: 0o600 });
  return startDaemon(program, ['-g', '-n', '1', '-c', 'named.conf'], plan.folder);
}
