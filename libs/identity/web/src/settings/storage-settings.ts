import { Component, inject } from '@angular/core';
import { LazyOutlet, SETTINGS_CARDS, Skeleton } from '@homeport/platform/web';

/** The cards of other domains: what this device stores. */
@Component({
  selector: 'hp-storage-settings',
  imports: [LazyOutlet, Skeleton],
  template: `
    @for (card of cards; track card.id) {
      <hp-lazy-outlet [load]="card.load">
        <div class="card loading"><hp-skeleton [rows]="4" /></div>
      </hp-lazy-outlet>
    }
  `,
  styleUrl: './settings-card.css',
})
export class StorageSettings {
  protected readonly cards = inject(SETTINGS_CARDS, { optional: true }) ?? [];
}
