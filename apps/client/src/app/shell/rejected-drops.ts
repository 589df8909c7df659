import { DOCUMENT, type Injector } from '@angular/core';
import { Toasts } from '@homeport/platform/web';

/**
 * Prevents files that are dropped outside a drop zone from replacing the app: browsers open them.
 *
 * @param isSignedIn whether to say where files can be dropped.
 */
export function rejectDrops(injector: Injector, isSignedIn: () => boolean): void {
  const window = injector.get(DOCUMENT).defaultView;
  const reject = (event: DragEvent): void => {
    // A drop zone has already accepted the files.
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (event.type !== 'drop' || !isSignedIn()) return;
    injector.get(Toasts).show($localize`Nothing was uploaded. To upload files, open Files and drop them there.`);
  };
  // The shell is never destroyed, so neither are its listeners.
  for (const type of ['dragover', 'drop'] as const) window?.addEventListener(type, reject);
}
