import { inject } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { type ScreenData, screenData } from '@homeport/platform/web';

/**
 * A read for a screen, of what has an id and belongs to whoever is signed in. Call it in an injection context.
 * @param id undefined reads nothing.
 */
export function scopedData<T>(
  id: () => string | undefined,
  load: (id: string, signal: AbortSignal) => Promise<T>,
): ScreenData<T> {
  const session = inject(AuthSession);
  return screenData({
    key: () => {
      const scope = session.scope();
      const wanted = id();
      // A line break can stand in neither.
      return scope === undefined || wanted === undefined ? undefined : `${scope}\n${wanted}`;
    },
    load: (read, signal) => load(read.slice(read.indexOf('\n') + 1), signal),
  });
}
