import type { RuntimeDirectory } from './runtime-directory.port';
import type { Runtime } from './runtime.port';

export interface AppChange {
  readonly runtime: Pick<Runtime, 'revisions' | 'retire' | 'warm'>;
  readonly directory: Pick<RuntimeDirectory, 'findServer' | 'findLive'>;
}

/** Adapts to a change of an app: retires deleted deploys, and starts the live revision if the app is in use. */
export async function refreshApp(appId: string, { runtime, directory }: AppChange): Promise<void> {
  const running = [...runtime.revisions].filter((each) => each.appId === appId);
  const isAwake = running.some(({ isReady, revision }) => isReady && revision.scope === 'production');
  const retireDeleted = async ({ revision }: (typeof running)[number]) => {
    if (!(await directory.findServer(revision.deployId))) await runtime.retire(revision);
  };
  await Promise.all(running.map(retireDeleted));
  const live = isAwake ? await directory.findLive(appId) : undefined;
  if (live) await runtime.warm(live);
}
