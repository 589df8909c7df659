import { inject } from '@angular/core';
import type { Deploy } from '@homeport/apps/contracts';
import type { ScreenData } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';
import { scopedData } from '../../shared/scoped-data';

/** The newest deploys of an app, for all pages loaded so far. */
export interface LoadedHistory {
  readonly deploys: readonly Deploy[];
  readonly hasMore: boolean;
}

export interface DeployHistory extends ScreenData<LoadedHistory> {
  /** Loads the next older page. */
  more(): void;
}

/**
 * Loads the deploys of an app, newest first. A reload reads all loaded pages again. Requires an injection context.
 */
export function deployHistory(appId: () => string): DeployHistory {
  const client = inject(DeploysClient);
  let loaded = { appId: '', pages: 1 };
  const read = async (id: string, signal: AbortSignal): Promise<LoadedHistory> => {
    if (loaded.appId !== id) loaded = { appId: id, pages: 1 };
    const deploys: Deploy[] = [];
    let cursor: string | null = null;
    for (let page = 0; page === 0 || (page < loaded.pages && cursor !== null); page += 1) {
      const { items, next_cursor: next } = await client.list(id, cursor, signal);
      deploys.push(...items);
      cursor = next;
    }
    return { deploys, hasMore: cursor !== null };
  };
  const data = scopedData(appId, read);
  const more = (): void => {
    loaded = { appId: appId(), pages: loaded.pages + 1 };
    data.reload();
  };
  return { ...data, more };
}
