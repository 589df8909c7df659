import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startNameServer } from '../name-server/index.ts';
import type { NameServerOptions, NameServerPlan, RunningNameServer } from '../name-server/index.ts';
import { startDaemon } from '../system-programs.ts';
import type { Daemon } from '../system-programs.ts';
import { configurationOf } from './configuration.ts';
import { KNOT } from './programs.ts';

/** Starts Knot DNS with one zone that accepts signed updates. */
export function startKnot(options: NameServerOptions): Promise<RunningNameServer> {
  return startNameServer(KNOT, options, launch);
}

async function launch(plan: NameServerPlan): Promise<Daemon> {
  await writeFile(join(plan.folder, 'knot.conf'), configurationOf(plan), { mode: 0o600 });
  return startDaemon(join(plan.programs.get('knotd') ?? '', 'knotd'), ['-c', 'knot.conf'], plan.folder);
}
