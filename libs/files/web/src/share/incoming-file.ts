import { Component, computed, inject, signal } from '@angular/core';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import { filePathOf } from '@homeport/files/contracts';
import { EmptyState, Icon, PageHeader, Skeleton, Toasts } from '@homeport/platform/web';
import { FileIndex } from '../client/file-index';
import { Drafts } from '../drafts/drafts';
import { MAX_EDITABLE_SIZE, MAX_EDITABLE_BYTES } from '../editor/max-editable-size';
import { decodeStoredText, storedText, type StoredText } from '../editor/text-encoding';
import { editLink } from '../tree/file-links';
import { parentOf } from '../tree/display-path';
import { directoriesIn, newKey } from '../tree/file-tree';
import { typedPathError } from '../tree/path-error-messages';
import { SortedFiles } from '../tree/sorted-files';
import { sharedMarkdown, sharedFileName } from './shared-content';
import { launchedFile } from './launched-file';

/** Receives a file from the share target or the file handler: asks for its path, then opens it in the editor. */
@Component({
  selector: 'hp-incoming-file',
  imports: [EmptyState, Icon, PageHeader, RouterLink, Skeleton],
  templateUrl: './incoming-file.html',
  styleUrl: './incoming-file.css',
})
export class IncomingFile {
  readonly #route = inject(ActivatedRoute).snapshot;
  readonly #isLaunch = this.#route.data['from'] === 'launch';
  readonly #drafts = inject(Drafts);
  readonly #index = inject(FileIndex);
  readonly #router = inject(Router);
  readonly #toasts = inject(Toasts);
  readonly #launched = signal<{ readonly name: string; readonly text: StoredText } | undefined>(undefined);

  /** Why the file could not be opened. */
  protected readonly failure = signal('');
  protected readonly typed = signal<string | undefined>(undefined);
  protected readonly incoming = computed(() => {
    if (this.#isLaunch) return this.#launched();
    // The names match the share target of the web manifest.
    const [title, text, url] = ['title', 'text', 'url'].map((name) => this.#route.queryParamMap.get(name) ?? undefined);
    const shared = { title, text, url };
    return { name: sharedFileName(shared), text: storedText(sharedMarkdown(shared)) };
  });
  protected readonly path = computed(() => this.typed() ?? this.incoming()?.name ?? '');
  protected readonly directories = computed(() => directoriesIn(this.#index.files() ?? SortedFiles.empty));
  readonly #parsed = computed(() => filePathOf(this.path().trim().split('/')));
  protected readonly problem = computed(() => {
    const parsed = this.#parsed();
    const fault = typedPathError('', this.path().trim());
    if ('fault' in parsed || fault) return fault ?? '';
    return this.#index.find(this.#keyOf(parsed.path))
      ? $localize`A file with this name already exists. Choose another name.`
      : '';
  });

  constructor() {
    this.#index.refresh();
    if (this.#isLaunch) void this.#readLaunchedFile();
  }

  protected async go(event: Event): Promise<void> {
    event.preventDefault();
    const [incoming, parsed] = [this.incoming(), this.#parsed()];
    if (!incoming || 'fault' in parsed || this.problem()) return;
    const key = this.#keyOf(parsed.path);
    const { exact: text, encoding, marked } = incoming.text;
    const draft = { id: crypto.randomUUID(), key, text, encoding, marked, writtenAt: Date.now() };
    if (await this.#drafts.save(draft)) await this.#router.navigate([...editLink(key)], { replaceUrl: true });
    else this.#toasts.show($localize`This device could not store the text. Free up space and try again.`);
  }

  #keyOf(path: string): string {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return newKey(this.#index.files() ?? SortedFiles.empty, parentOf(path), name);
  }

  async #readLaunchedFile(): Promise<void> {
    try {
      const file = await launchedFile();
      if (!file) {
        this.failure.set($localize`No file was opened.`);
        return;
      }
      const text =
        file.size > MAX_EDITABLE_BYTES ? undefined : decodeStoredText(new Uint8Array(await file.arrayBuffer()));
      if (text) this.#launched.set({ name: file.name, text });
      else {
        this.failure.set(
          $localize`${file.name}:name: is not text, or larger than ${MAX_EDITABLE_SIZE}:size:. Upload it on the files page.`,
        );
      }
    } catch {
      this.failure.set($localize`The file could not be read.`);
    }
  }
}
