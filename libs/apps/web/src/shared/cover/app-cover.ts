import { Component, computed, input } from '@angular/core';
import { coverDesign } from './cover-design';

/** The generated picture of an app. It is decoration: the name is always written beside it. */
@Component({
  selector: 'hp-app-cover',
  template: `
    <svg viewBox="0 0 320 200" preserveAspectRatio="xMidYMid slice" fill="none">
      @switch (design().pattern) {
        @case ('arcs') {
          @for (radius of steps; track radius) {
            <circle cx="320" cy="200" [attr.r]="radius * 30" />
          }
        }
        @case ('grid') {
          <path d="M0 40H320M0 80H320M0 120H320M0 160H320M40 0V200M80 0V200M120 0V200M160 0V200" />
          <path d="M200 0V200M240 0V200M280 0V200" />
        }
        @case ('rays') {
          @for (step of steps; track step) {
            <path [attr.d]="'M-20 220 ' + step * 46 + ' -20'" />
          }
        }
        @case ('waves') {
          @for (step of steps; track step) {
            <path [attr.d]="'M-10 ' + step * 24 + 'c60 -44 110 36 170 0s110 -44 180 0'" />
          }
        }
      }
    </svg>
    <span class="initials">{{ design().initials }}</span>
  `,
  styleUrl: './app-cover.css',
  host: {
    'aria-hidden': 'true',
    '[style.--hue]': 'design().hue',
    '[style.--second-hue]': 'design().secondHue',
  },
})
export class AppCover {
  readonly name = input.required<string>();
  protected readonly design = computed(() => coverDesign(this.name()));
  protected readonly steps = [1, 2, 3, 4, 5, 6, 7, 8, 9];
}
