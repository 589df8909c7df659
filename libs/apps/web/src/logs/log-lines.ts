import { Component, computed, input } from '@angular/core';
import type { LogLine } from '@homeport/apps/contracts';
import { partsOf, textOf } from './log-blocks';
import { lineTime, streamLabel } from './log-messages';

/** Consecutive lines of a log. */
@Component({
  selector: 'hp-log-lines',
  template: `
    @for (row of rows(); track row.id) {
      <p [class]="row.stream">
        <time [attr.datetime]="row.at">{{ row.time }}</time>
        @if (row.stream !== 'stdout') {
          <span class="stream">{{ row.label }}</span>
        }
        <span class="text">
          @for (part of row.parts; track $index) {
            @if (part.isMatch) {
              <mark>{{ part.text }}</mark>
            } @else {
              <span>{{ part.text }}</span>
            }
          }
        </span>
      </p>
    }
  `,
  styleUrl: './log-lines.css',
})
export class LogLines {
  readonly lines = input.required<readonly LogLine[]>();
  /** Text to highlight; may be empty. */
  readonly search = input('');
  protected readonly rows = computed(() => {
    const search = this.search();
    return this.lines().map((line) => ({
      ...{ id: line.id, at: line.at, stream: line.stream },
      label: streamLabel(line.stream),
      time: lineTime(new Date(line.at)),
      parts: partsOf(textOf(line), search),
    }));
  });
}
