import { Location } from '@angular/common';
import { Component, computed, DOCUMENT, effect, inject, input } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { Icon, type IconName, isEditable, pageShortcuts } from '@homeport/platform/web';
import { DEFAULT_VIEW, DirectoryViews } from '../browser/directory-views';
import { FileIndex } from '../client/file-index';
import { viewLink } from '../tree/file-links';
import { displayPath, nameOf, parentOf } from '../tree/display-path';
import { storedView, storeView } from './list-view-state';
import { neighbourFiles } from './neighbour-files';

interface Step {
  readonly icon: IconName;
  readonly key: 'J' | 'K';
  /** The label of a link, or of a disabled one. */
  readonly label: string;
  readonly title: string;
  /** Undefined at the end of the list. */
  readonly link: readonly string[] | undefined;
}

/** Opens the previous and the next file of the directory, with buttons and with the keys K and J. */
@Component({
  selector: 'hp-file-pager',
  imports: [Icon, RouterLink],
  template: `
    @for (step of steps(); track step.key) {
      @if (step.link; as link) {
        <a
          class="icon-button framed"
          [routerLink]="link"
          [replaceUrl]="true"
          [attr.aria-label]="step.label"
          [attr.aria-keyshortcuts]="step.key"
          [title]="step.title"
          ><hp-icon [name]="step.icon"
        /></a>
      } @else {
        <a
          class="icon-button framed"
          role="link"
          aria-disabled="true"
          tabindex="0"
          [attr.aria-label]="step.label"
          [title]="step.title"
          ><hp-icon [name]="step.icon"
        /></a>
      }
    }
  `,
  styles: `
    :host {
      display: inline-flex;
      gap: var(--space-1);
    }
    [aria-disabled] {
      opacity: 0.55;
      cursor: default;
    }
  `,
  host: { '(document:keydown)': 'press($event)' },
})
export class FilePager {
  readonly fileKey = input.required<string>();
  readonly #index = inject(FileIndex);
  readonly #views = inject(DirectoryViews);
  readonly #router = inject(Router);
  readonly #document = inject(DOCUMENT);
  readonly #location = inject(Location);
  /** The view of the list that an earlier page has stored for a reload. */
  readonly #stored = storedView(this.#location.getState());
  readonly #view = computed(() => this.#views.of(parentOf(displayPath(this.fileKey()))) ?? this.#stored);
  readonly #neighbours = computed(() => {
    const [files, key] = [this.#index.files(), this.fileKey()];
    return files && neighbourFiles(files, key, this.#view() ?? DEFAULT_VIEW);
  });
  protected readonly steps = computed((): readonly Step[] => {
    const neighbours = this.#neighbours();
    // Disabled until the list is loaded, so that the page does not move then.
    return [previousStep(neighbours?.previous), nextStep(neighbours?.next)];
  });

  constructor() {
    effect(() => {
      this.fileKey();
      const view = this.#view();
      if (view) storeView(this.#location, view);
    });
    pageShortcuts(() => ({
      heading: $localize`In the viewer`,
      shortcuts: [
        { keys: ['J'], label: $localize`Next file` },
        { keys: ['K'], label: $localize`Previous file` },
      ],
    }));
  }

  protected press(event: KeyboardEvent): void {
    const step = this.steps().find(({ key }) => key === event.key.toUpperCase());
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (!step?.link || hasModifier || event.defaultPrevented || isEditable(event.target)) return;
    // An open dialog or menu handles its own keys.
    if (this.#document.querySelector('[aria-modal="true"], [role="menu"]')) return;
    event.preventDefault();
    void this.#router.navigate([...step.link], { replaceUrl: true });
  }
}

function previousStep(file: string | undefined): Step {
  const name = file === undefined ? '' : nameOf(displayPath(file));
  return {
    icon: 'chevron-up',
    key: 'K',
    link: file === undefined ? undefined : viewLink(file),
    ...(file === undefined
      ? { label: $localize`Previous file`, title: $localize`This is the first file of the folder` }
      : { label: $localize`Previous file: ${name}:name:`, title: $localize`Previous file: ${name}:name: (K)` }),
  };
}

function nextStep(file: string | undefined): Step {
  const name = file === undefined ? '' : nameOf(displayPath(file));
  return {
    icon: 'chevron-down',
    key: 'J',
    link: file === undefined ? undefined : viewLink(file),
    ...(file === undefined
      ? { label: $localize`Next file`, title: $localize`This is the last file of the folder` }
      : { label: $localize`Next file: ${name}:name:`, title: $localize`Next file: ${name}:name: (J)` }),
  };
}
