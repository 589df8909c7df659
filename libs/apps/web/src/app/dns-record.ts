import { Component, DOCUMENT, effect, ElementRef, inject, input, viewChild } from '@angular/core';
import type { Hosting } from '@homeport/apps/contracts';
import { CopyButton, Icon, type ScreenData } from '@homeport/platform/web';

/** The DNS record of an app; each field has a copy button. */
@Component({
  selector: 'hp-dns-record',
  imports: [CopyButton, Icon],
  templateUrl: './dns-record.html',
  styleUrl: './dns-record.css',
})
export class DnsRecord {
  readonly hostname = input.required<string>();
  readonly hosting = input.required<ScreenData<Hosting>>();

  readonly #document = inject(DOCUMENT);
  private readonly heading = viewChild.required<ElementRef<HTMLElement>>('heading');
  private readonly retryButton = viewChild<ElementRef<HTMLElement>>('retryButton');

  constructor() {
    effect(() => {
      if (this.hosting().value() === undefined) return;
      // The retry button is removed now; move its focus to the heading.
      const button = this.retryButton()?.nativeElement;
      if (button && button === this.#document.activeElement) this.heading().nativeElement.focus();
    });
  }

  protected retry(): void {
    if (!this.hosting().busy()) this.hosting().reload();
  }
}
