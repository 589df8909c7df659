import { inject } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { type ScreenData, screenData } from '@homeport/platform/web';

/**
 * Loads a resource by id for the signed-in user. Requires an injection context.
 *
 * @param id loads nothing while it is undefined.
 */
export function scopedData<T>(
  id: () => string | undefined,
  load: (id: string, signal: AbortSignal) => Promise<T>,
): ScreenData<T> {
  const session = inject(AuthSession);
  return screenData({
    key: () => {
      const scope = session.userScope();
      const currentId = id();
      // Neither a scope nor an id can contain a line break.
      return scope === undefined || currentId === undefined ? undefined : `${scope}\n${currentId}`;
    },
    load: (read, signal) => load(read.slice(read.indexOf('\n') + 1), signal),
  });
}
