import { inject } from '@angular/core';
import type { Deploy } from '@homeport/apps/contracts';
import type { ScreenData } from '@homeport/platform/web';
import { DeploysClient } from '../../client/deploys-client';
import { scopedData } from '../../shared/scoped-data';

/** The newest deploys of an app, as far back as somebody has asked. */
export interface LoadedHistory {
  readonly deploys: readonly Deploy[];
  readonly hasMore: boolean;
}

export interface DeployHistory extends ScreenData<LoadedHistory> {
  /** Reads a page further back. */
  more(): void;
}

/** The deploys of an app, newest first; all pages that are shown are read together. Call it in an injection context. */
export function deployHistory(appId: () => string): DeployHistory {
  const client = inject(DeploysClient);
  let wanted = { appId: '', pages: 1 };
  const read = async (id: string, signal: AbortSignal): Promise<LoadedHistory> => {
    if (wanted.appId !== id) wanted = { appId: id, pages: 1 };
    const deploys: Deploy[] = [];
    let cursor: string | null = null;
    for (let page = 0; page === 0 || (page < wanted.pages && cursor !== null); page += 1) {
      const { items, next_cursor: next } = await client.list(id, cursor, signal);
      deploys.push(...items);
      cursor = next;
    }
    return { deploys, hasMore: cursor !== null };
  };
  const data = scopedData(appId, read);
  const more = (): void => {
    wanted = { appId: appId(), pages: wanted.pages + 1 };
    data.reload();
  };
  return { ...data, more };
}
