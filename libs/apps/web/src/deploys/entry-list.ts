import { Component, computed, input } from '@angular/core';
import { formatNumber, translateServerText } from '@homeport/platform/web';

/** A message about an entry, a file or a line of it. */
export interface Entry {
  readonly path: string;
  readonly line: number | null;
  readonly reason: string;
}

/** The messages about the entries of a deploy; a long list scrolls. */
@Component({
  selector: 'hp-entry-list',
  template: `
    <ul tabindex="0" [attr.aria-label]="label()">
      @for (entry of shown(); track $index) {
        <li>
          <code>{{ entry.path }}</code>
          @if (entry.place) {
            <span class="place">{{ entry.place }}</span>
          }
          <span class="reason">{{ entry.reason }}</span>
        </li>
      }
    </ul>
  `,
  styles: `
    ul {
      max-height: 240px;
      margin: var(--space-2) 0 0;
      padding: var(--space-1) var(--space-3);
      border: 1px solid var(--line);
      border-radius: var(--radius);
      background: var(--surface-2);
      font-size: 13px;
      list-style: none;
      overflow-y: auto;
      overscroll-behavior: contain;
    }
    li {
      display: flex;
      flex-wrap: wrap;
      gap: 0 var(--space-2);
      padding: var(--space-1-5) 0;
    }
    li + li {
      border-top: 1px solid var(--line);
    }
    code {
      min-width: 0;
      overflow-wrap: anywhere;
    }
    .place {
      color: var(--muted);
    }
    .reason {
      flex-basis: 100%;
      color: var(--muted);
      overflow-wrap: anywhere;
    }
  `,
})
export class EntryList {
  readonly entries = input.required<readonly Entry[]>();
  readonly label = input.required<string>();
  protected readonly shown = computed(() =>
    this.entries().map(({ path, line, reason }) => ({
      path,
      place: line === null ? '' : $localize`line ${formatNumber(line)}:line:`,
      reason: translateServerText(reason),
    })),
  );
}
