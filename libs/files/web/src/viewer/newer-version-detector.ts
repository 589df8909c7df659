import { DestroyRef, DOCUMENT, inject, Injectable, signal } from '@angular/core';
import { type FileMetadata, FilesClient } from '../client/files-client';
import { isQueuedEtag } from '../saves/queued-save';

/** Checks whether the shown file has changed, each time the user returns to the page. */
@Injectable()
export class NewerVersionDetector {
  readonly #client = inject(FilesClient);
  readonly #document = inject(DOCUMENT);
  readonly #outdated = signal<string | undefined>(undefined);
  #shown: () => FileMetadata | undefined = () => undefined;
  #request: AbortController | undefined;

  constructor() {
    const check = (): void => void this.#check();
    this.#document.addEventListener('visibilitychange', check);
    inject(DestroyRef).onDestroy(() => {
      this.#document.removeEventListener('visibilitychange', check);
      this.#request?.abort();
    });
  }

  /** @param shown returns the shown file; undefined while none is shown. */
  watch(shown: () => FileMetadata | undefined): void {
    this.#shown = shown;
  }

  /** Whether a newer version of the shown file exists. */
  exists(): boolean {
    const shown = this.#shown();
    return shown !== undefined && this.#outdated() === versionKey(shown.key, shown.etag);
  }

  dismiss(): void {
    this.#outdated.set(undefined);
  }

  async #check(): Promise<void> {
    const shown = this.#shown();
    // A queued save is newer than every stored version.
    if (!shown || isQueuedEtag(shown.etag) || this.#document.visibilityState !== 'visible') return;
    this.#request?.abort();
    const request = (this.#request = new AbortController());
    try {
      const { etag } = await this.#client.head(shown.key, request.signal);
      if (etag !== shown.etag) this.#outdated.set(versionKey(shown.key, shown.etag));
    } catch {
      // The check is repeated the next time the user returns.
    }
  }
}

/** Identifies one version of a file. */
function versionKey(key: string, etag: string): string {
  return `${key}\n${etag}`;
}
