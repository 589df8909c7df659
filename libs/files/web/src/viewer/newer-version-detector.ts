import { DestroyRef, DOCUMENT, inject, Injectable, signal } from '@angular/core';
import { type FileMetadata, FilesClient } from '../client/files-client';

/** Asks, each time people come back to the page, whether the file they see has been written again since. */
@Injectable()
export class NewerVersionDetector {
  readonly #client = inject(FilesClient);
  readonly #document = inject(DOCUMENT);
  readonly #found = signal<string | undefined>(undefined);
  #shown: () => FileMetadata | undefined = () => undefined;
  #asking: AbortController | undefined;

  constructor() {
    const ask = (): void => void this.#ask();
    this.#document.addEventListener('visibilitychange', ask);
    inject(DestroyRef).onDestroy(() => {
      this.#document.removeEventListener('visibilitychange', ask);
      this.#asking?.abort();
    });
  }

  /** @param shown the file that is on the screen; undefined while there is none. */
  watch(shown: () => FileMetadata | undefined): void {
    this.#shown = shown;
  }

  /** Whether there is a newer version of the file on the screen. */
  exists(): boolean {
    const shown = this.#shown();
    return shown !== undefined && this.#found() === nameOfVersion(shown.key, shown.etag);
  }

  dismiss(): void {
    this.#found.set(undefined);
  }

  async #ask(): Promise<void> {
    const shown = this.#shown();
    if (!shown || this.#document.visibilityState !== 'visible') return;
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    try {
      const { etag } = await this.#client.head(shown.key, asking.signal);
      if (etag !== shown.etag) this.#found.set(nameOfVersion(shown.key, shown.etag));
    } catch {
      // What is on the screen is as good as it was; the next time people come back it is asked again.
    }
  }
}

/** The version that is known to be old. */
function nameOfVersion(key: string, etag: string): string {
  return `${key}\n${etag}`;
}
