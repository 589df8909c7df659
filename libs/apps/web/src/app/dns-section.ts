import {
  Component,
  computed,
  DOCUMENT,
  effect,
  ElementRef,
  inject,
  input,
  model,
  output,
  signal,
  viewChild,
} from '@angular/core';
import type { App, Hosting } from '@homeport/apps/contracts';
import { asHttpProblem, ErrorPanel, type HttpProblem, Icon, type ScreenData } from '@homeport/platform/web';
import { AppsClient } from '../client/apps-client';
import { attemptsMessage, dnsStatusMessage, dnsStatusLabel } from '../shared/dns-messages';
import { DnsRecord } from './dns-record';
import { NextAttempt } from './next-attempt';

/** The DNS status of an app, with a retry button after a failure. */
@Component({
  selector: 'hp-dns-section',
  imports: [DnsRecord, ErrorPanel, Icon, NextAttempt],
  templateUrl: './dns-section.html',
  styleUrl: './dns-section.css',
})
export class DnsSection {
  readonly app = input.required<App>();
  readonly hosting = input.required<ScreenData<Hosting>>();
  readonly retrying = model(false);
  readonly changed = output<App>();
  /** The app no longer exists. */
  readonly gone = output();

  readonly #client = inject(AppsClient);
  readonly #document = inject(DOCUMENT);
  private readonly heading = viewChild.required<ElementRef<HTMLElement>>('heading');
  private readonly retryButton = viewChild<ElementRef<HTMLElement>>('retryButton');
  protected readonly dns = computed(() => dnsStatusLabel(this.app().dns_status));
  protected readonly sentence = computed(() => dnsStatusMessage(this.app()));
  protected readonly failure = computed(() =>
    this.app().dns_status === 'dns-failed' ? this.app().dns_error : undefined,
  );
  protected readonly attempts = computed(() => attemptsMessage(this.failure()?.attempts ?? 0));
  protected readonly outcome = signal('');
  protected readonly problem = signal<HttpProblem | undefined>(undefined);

  constructor() {
    effect(() => {
      if (this.app().dns_status === 'dns-failed') return;
      this.outcome.set('');
      this.problem.set(undefined);
      // The retry button is removed now; move its focus to the heading.
      const button = this.retryButton()?.nativeElement;
      if (button && button === this.#document.activeElement) this.heading().nativeElement.focus();
    });
  }

  protected async retry(): Promise<void> {
    if (this.retrying()) return;
    this.retrying.set(true);
    this.problem.set(undefined);
    this.outcome.set($localize`Trying again…`);
    try {
      const app = await this.#client.retryDns(this.app().id);
      this.outcome.set(app.dns_status === 'dns-failed' ? $localize`The retry failed.` : '');
      this.changed.emit(app);
    } catch (error) {
      this.outcome.set('');
      this.#fail(asHttpProblem(error));
    } finally {
      this.retrying.set(false);
    }
  }

  #fail(problem: HttpProblem): void {
    if (problem.code === 'apps.not-found') this.gone.emit();
    else this.problem.set(problem);
  }
}
