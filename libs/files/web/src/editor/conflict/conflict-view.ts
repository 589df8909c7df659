import { LiveAnnouncer } from '@angular/cdk/a11y';
import {
  afterNextRender,
  Component,
  DestroyRef,
  ElementRef,
  inject,
  input,
  viewChild,
  ViewEncapsulation,
} from '@angular/core';
import { languageOf } from '../code-setup';
import { type MergeViewHandle, openSideBySide, openUnified } from './merge-view';

const WIDE = '(min-width: 860px)';

/** Shows two conflicting versions of a file to merge into one. */
@Component({
  selector: 'hp-conflict-view',
  template: `
    <div class="heads" aria-hidden="true">
      <span class="head theirs">{{ theirsLabel() }}</span>
      <span class="head yours" i18n>Yours, which you can edit</span>
    </div>
    <div #place class="place"></div>
  `,
  styleUrl: './conflict-view.css',
  encapsulation: ViewEncapsulation.None,
})
export class ConflictView {
  readonly theirs = input.required<string>();
  readonly yours = input.required<string>();
  readonly name = input.required<string>();
  readonly theirsLabel = input.required<string>();
  /** Receives the merged text after every change. A function, because outlets pass only inputs on. */
  readonly edit = input.required<(text: string) => void>();

  private readonly place = viewChild.required<ElementRef<HTMLElement>>('place');
  readonly #announcer = inject(LiveAnnouncer);
  #mergeView: MergeViewHandle | undefined;
  #opening = 0;

  constructor() {
    const wide = matchMedia(WIDE);
    const reopen = (): void => void this.#open(wide.matches);
    afterNextRender(reopen);
    wide.addEventListener('change', reopen);
    inject(DestroyRef).onDestroy(() => {
      wide.removeEventListener('change', reopen);
      this.#opening += 1;
      this.#mergeView?.close();
      this.#mergeView = undefined;
    });
  }

  async #open(isWide: boolean): Promise<void> {
    const opening = ++this.#opening;
    const language = (await languageOf(this.name())) ?? [];
    if (opening !== this.#opening) return;
    // Includes edits made while the language was loading.
    const yours = this.#mergeView?.text() ?? this.yours();
    this.#mergeView?.close();
    const open = isWide ? openSideBySide : openUnified;
    this.#mergeView = open(this.place().nativeElement, {
      theirs: this.theirs(),
      yours,
      theirsLabel: this.theirsLabel(),
      language,
      edited: (text) => this.edit()(text),
      setup: {
        label: $localize`Yours, which you can edit`,
        onTabFocusMode: () => void this.#announcer.announce($localize`Press Tab to leave the text.`),
      },
    });
  }
}
