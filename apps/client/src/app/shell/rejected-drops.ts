import { DestroyRef, DOCUMENT, inject } from '@angular/core';
import { Toasts } from '@homeport/platform/web';

/**
 * Prevents files that are dropped outside a drop zone from replacing the app: browsers open them. Requires an injection
 * context.
 *
 * @param isSignedIn whether to say where files can be dropped.
 */
export function rejectDrops(isSignedIn: () => boolean): void {
  const window = inject(DOCUMENT).defaultView;
  const toasts = inject(Toasts);
  const listeners = new AbortController();
  const { signal } = listeners;
  const reject = (event: DragEvent): boolean => {
    // A drop zone has already accepted the files.
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return false;
    event.preventDefault();
    return true;
  };
  window?.addEventListener('dragover', reject, { signal });
  window?.addEventListener(
    'drop',
    (event) => {
      if (reject(event) && isSignedIn())
        toasts.show($localize`Nothing was uploaded. To upload files, open Files and drop them there.`);
    },
    { signal },
  );
  inject(DestroyRef).onDestroy(() => listeners.abort());
}
