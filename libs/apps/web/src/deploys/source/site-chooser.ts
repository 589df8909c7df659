import { booleanAttribute, Component, computed, inject, input, output } from '@angular/core';
import type { DeployLimits } from '@homeport/apps/contracts';
import { FileChooser, fileSize, formatNumber, Icon, type PickedFile } from '@homeport/platform/web';

/** Lets the user choose or drop a site. */
@Component({
  selector: 'hp-site-chooser',
  imports: [Icon],
  templateUrl: './site-chooser.html',
  styleUrl: './site-chooser.css',
})
export class SiteChooser {
  /** Whether files are dragged over it. */
  readonly isOver = input(false);
  /** Whether the app has no deploys yet. */
  readonly isFirst = input(false, { transform: booleanAttribute });
  /** Undefined while they are loading. */
  readonly limits = input<DeployLimits>();
  /** Why the last selection was rejected. */
  readonly refusal = input('');
  readonly picked = output<readonly PickedFile[]>();

  readonly #chooser = inject(FileChooser);
  protected readonly supportsFolders = this.#chooser.supportsFolders;
  protected readonly limitsMessage = computed(() => limitsMessage(this.limits()));

  protected async chooseSite(): Promise<void> {
    this.picked.emit(await this.#chooser.choose(this.supportsFolders ? { folder: true } : { multiple: true }));
  }

  protected async chooseArchive(): Promise<void> {
    const accept = '.zip,.tgz,.gz,application/zip,application/gzip';
    this.picked.emit(await this.#chooser.choose({ accept }));
  }
}

function limitsMessage(limits: DeployLimits | undefined): string {
  if (!limits) return '';
  const { archive_bytes: archive, files, file_bytes: file } = limits;
  return $localize`Up to ${fileSize(archive)}:archive: packed, ${formatNumber(files)}:files: files, ${fileSize(file)}:file: per file.`;
}
