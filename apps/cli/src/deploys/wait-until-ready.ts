import { type Deploy, type Homeport, operations } from '@homeport/api-client';
import { setTimeout } from 'node:timers/promises';

const POLL_MS = 1_000;

/** Waits until the server has processed a deploy. */
export async function waitUntilReady(homeport: Homeport, id: string, signal: AbortSignal): Promise<Deploy> {
  for (;;) {
    const deploy = await operations.getDeploy({ client: homeport.client, path: { id }, signal });
    if (!['uploading', 'processing', 'starting'].includes(deploy.status)) return deploy;
    await setTimeout(POLL_MS, undefined, { signal });
  }
}
