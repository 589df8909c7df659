import { Component, computed, inject, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, RouterLink } from '@angular/router';
import { AuthSession } from '@homeport/identity/web';
import {
  asHttpProblem,
  CopyButton,
  EmptyState,
  ErrorPanel,
  fileSize,
  Icon,
  PageHeader,
  screenData,
  Skeleton,
  Toasts,
} from '@homeport/platform/web';
import { FilesClient } from '../client/files-client';
import { directoryLink, pathIn, viewUrl } from '../tree/file-links';
import { nameOf, parentOf, shownPath } from '../tree/file-tree';
import { fileKind } from './file-content';
import { MarkdownView } from './markdown/markdown-view';
import { openFile } from './opened-file';
import { saveFile } from './save-file';
import { TextView } from './text-view';

/** One file: Markdown rendered, JSON laid out, other text as it is, and everything else offered for download. */
@Component({
  selector: 'hp-file-viewer',
  imports: [CopyButton, EmptyState, ErrorPanel, Icon, MarkdownView, PageHeader, RouterLink, Skeleton, TextView],
  templateUrl: './file-viewer.html',
  styleUrl: './file-viewer.css',
})
export class FileViewer {
  readonly #client = inject(FilesClient);
  readonly #session = inject(AuthSession);
  readonly #toasts = inject(Toasts);
  readonly #segments = toSignal(inject(ActivatedRoute).url, { initialValue: [] });

  protected readonly key = computed(() => pathIn(this.#segments()));
  protected readonly name = computed(() => nameOf(this.key()));
  protected readonly address = computed(() => location.origin + viewUrl(this.key()));
  protected readonly directory = computed(() => parentOf(shownPath(this.key())));
  protected readonly directoryLink = computed(() => directoryLink(this.directory()));
  protected readonly downloading = signal(false);

  protected readonly file = screenData({
    key: () => {
      const scope = this.#session.scope();
      // A line break can stand in neither.
      return scope === undefined ? undefined : `${scope}\n${this.key()}`;
    },
    load: (read, signal) => openFile(this.#client, read.slice(read.indexOf('\n') + 1), signal),
  });
  protected readonly note = computed(() => {
    const facts = this.file.value()?.facts;
    return facts && `${fileKind(this.name(), facts.contentType)}, ${fileSize(facts.size)}`;
  });
  protected readonly isAbsent = computed(() => this.file.problem()?.status === 404);

  protected async download(): Promise<void> {
    this.downloading.set(true);
    try {
      const { content } = await this.#client.get(this.key());
      saveFile(content, this.name());
    } catch (error) {
      this.#toasts.show(`${this.name()} could not be downloaded. ${asHttpProblem(error).detail}`);
    } finally {
      this.downloading.set(false);
    }
  }
}
