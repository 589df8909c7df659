import { inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { screenData } from '@homeport/platform/web';
import { FilesClient } from './files-client';

/** The flat list of everything in the workspace, read once and shared by the pages that rebuild directories from it. */
@Service()
export class FileIndex {
  readonly #client = inject(FilesClient);
  readonly #session = inject(AuthSession);
  readonly data = screenData<readonly FileEntry[]>({
    key: () => this.#session.scope(),
    load: (_scope, signal) => this.#client.list('', signal),
  });

  /** Reads again what is there already; the old list stays on the screen meanwhile. */
  refresh(): void {
    if (this.data.value() !== undefined || this.data.problem() !== undefined) this.data.reload();
  }

  find(key: string): FileEntry | undefined {
    return this.data.value()?.find((entry) => entry.key === key);
  }

  /** Takes up an entry the server has just answered. */
  add(entry: FileEntry): void {
    this.data.update((entries) => [...entries.filter(({ key }) => key !== entry.key), entry]);
  }

  remove(key: string): void {
    this.data.update((entries) => entries.filter((entry) => entry.key !== key));
  }
}
