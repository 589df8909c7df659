import { Component, computed, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import { formatNumber, Icon, type IconName } from '@homeport/platform/web';
import { summaryOf } from '../tree/directory-summary';
import type { MAIN_DIRECTORIES } from '../tree/main-directories';
import type { SortedFiles } from '../tree/sorted-files';

interface MainDirectory {
  readonly directory: (typeof MAIN_DIRECTORIES)[number];
  readonly label: string;
  readonly purpose: string;
  readonly icon: IconName;
}

function mainDirectories(): readonly MainDirectory[] {
  return [
    {
      directory: 'threads',
      label: $localize`Threads`,
      purpose: $localize`Conversations and notes.`,
      icon: 'chat',
    },
    {
      directory: 'social-drafts',
      label: $localize`Social drafts`,
      purpose: $localize`Posts waiting to be published.`,
      icon: 'send',
    },
    {
      directory: 'reports',
      label: $localize`Reports`,
      purpose: $localize`Results and summaries.`,
      icon: 'chart',
    },
    {
      directory: 'knowledge',
      label: $localize`Knowledge`,
      purpose: $localize`Guides and facts.`,
      icon: 'book',
    },
  ];
}

/** The main directories, each with its purpose and its number of files. */
@Component({
  selector: 'hp-main-directory-list',
  imports: [Icon, RouterLink],
  template: `
    <ul class="card">
      @for (row of rows(); track row.directory) {
        <li>
          <a [routerLink]="['/files', row.directory]">
            <hp-icon [name]="row.icon" />
            <span class="words">
              <span class="label">{{ row.label }}</span>
              <span class="purpose">{{ row.purpose }}</span>
            </span>
            <span class="count" [class.none]="!row.count">
              @if (row.count !== undefined) {
                <ng-container i18n>{row.count, plural,
                  =0 {No files}
                  =1 {1 file}
                  other {{{ number(row.count) }} files}
                }</ng-container>
              } @else if (failed()) {
                <ng-container i18n>Not counted</ng-container>
              } @else {
                <span class="visually-hidden" i18n>Counting…</span>
              }
            </span>
          </a>
        </li>
      }
    </ul>
  `,
  styleUrl: './main-directory-list.css',
})
export class MainDirectoryList {
  /** Undefined while they are not loaded. */
  readonly files = input.required<SortedFiles | undefined>();
  /** Whether they could not be loaded. */
  readonly failed = input.required<boolean>();
  protected readonly number = formatNumber;
  protected readonly rows = computed(() => {
    const files = this.files();
    return mainDirectories().map((row) => ({ ...row, count: files && summaryOf(files, row.directory).files }));
  });
}
