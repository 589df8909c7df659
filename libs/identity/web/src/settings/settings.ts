import { Component, computed, inject, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import {
  asHttpProblem,
  BUILD_INFO,
  ErrorPanel,
  type HttpProblem,
  Icon,
  type IconName,
  LazyOutlet,
  PageHeader,
  SETTINGS_CARDS,
  Skeleton,
  Theme,
  THEME_CHOICES,
  type ThemeChoice,
} from '@homeport/platform/web';
import { LanguageChoice, Segmented } from '@homeport/platform/web/on-demand';
import { AuthSession } from '../session/auth-session';
import { SessionListCard } from './sessions/session-list';

const themes = (): Readonly<Record<ThemeChoice, { readonly label: string; readonly icon: IconName }>> => ({
  system: { label: $localize`:theme|:System`, icon: 'monitor' },
  dark: { label: $localize`:theme|:Dark`, icon: 'moon' },
  light: { label: $localize`:theme|:Light`, icon: 'sun' },
});

@Component({
  selector: 'hp-settings',
  imports: [ErrorPanel, Icon, LanguageChoice, LazyOutlet, PageHeader, RouterLink, Segmented, SessionListCard, Skeleton],
  templateUrl: './settings.html',
  styleUrl: './settings.css',
})
export class Settings {
  protected readonly session = inject(AuthSession);
  protected readonly theme = inject(Theme);
  protected readonly cards = inject(SETTINGS_CARDS, { optional: true }) ?? [];
  protected readonly build = BUILD_INFO;
  protected readonly themes = THEME_CHOICES.map((value) => ({ value, ...themes()[value] }));
  protected readonly initial = computed(() => {
    const user = this.session.user();
    return (user?.name ?? user?.email ?? user?.sub ?? '').charAt(0).toUpperCase();
  });
  protected readonly busy = signal(false);
  protected readonly problem = signal<HttpProblem | undefined>(undefined);

  protected readonly signOutWords = computed(() => (this.busy() ? $localize`Signing out…` : $localize`Sign out`));
  protected readonly retryWords = computed(() => (this.session.busy() ? $localize`Retrying…` : $localize`Retry`));

  protected async signOut(): Promise<void> {
    this.busy.set(true);
    this.problem.set(undefined);
    try {
      await this.session.signOut();
    } catch (error) {
      this.problem.set(asHttpProblem(error));
    } finally {
      this.busy.set(false);
    }
  }
}
