import { Component, ElementRef, inject, input, model, output, viewChild } from '@angular/core';
import { FileChooser, fileSize, formatNumber, Icon, type PickedFile } from '@homeport/platform/web';
import { DEPLOY_LIMITS } from './deploy-limits';

/** Where a site is chosen, or dropped. */
@Component({
  selector: 'hp-site-chooser',
  imports: [Icon],
  templateUrl: './site-chooser.html',
  styleUrl: './site-chooser.css',
})
export class SiteChooser {
  /** Whether something is being dragged over it. */
  readonly isOver = input(false);
  /** Whether nothing has been deployed so far. */
  readonly isFirst = input(false);
  /** Why what was chosen last is not sent. */
  readonly refusal = input('');
  readonly activate = model(true);
  readonly picked = output<readonly PickedFile[]>();

  readonly #chooser = inject(FileChooser);
  private readonly first = viewChild.required<ElementRef<HTMLElement>>('first');
  protected readonly knowsFolders = this.#chooser.knowsFolders;
  protected readonly limits = limitsWords();

  focus(): void {
    this.first().nativeElement.focus();
  }

  protected async chooseSite(): Promise<void> {
    this.picked.emit(await this.#chooser.choose(this.knowsFolders ? { folder: true } : { multiple: true }));
  }

  protected async chooseArchive(): Promise<void> {
    const accept = '.zip,.tgz,.gz,application/zip,application/gzip';
    this.picked.emit(await this.#chooser.choose({ accept }));
  }
}

function limitsWords(): string {
  const { file, files, sent } = DEPLOY_LIMITS;
  return $localize`At most ${fileSize(sent)}:archive: packed, ${formatNumber(files)}:files: files, ${fileSize(file)}:file: each.`;
}
