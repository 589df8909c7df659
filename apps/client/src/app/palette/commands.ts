import { inject, Service } from '@angular/core';
import { Router } from '@angular/router';
import { type PaletteItem, Palette, type PaletteSource, Theme } from '@homeport/platform/web';
import { bestMatches, searchable, queryTerms } from '@homeport/platform/web/on-demand';
import { navigationItems } from '../shell/navigation-items';
import { SignOut } from '../shell/sign-out';

/** The pages of the product and the commands that are available everywhere. */
@Service()
export class Commands implements PaletteSource {
  readonly #router = inject(Router);
  readonly #theme = inject(Theme);
  readonly #signOut = inject(SignOut);
  readonly #palette = inject(Palette);
  readonly heading = $localize`Commands`;
  readonly #pages: readonly PaletteItem[] = [
    ...navigationItems(),
    { link: '/apps/domains', label: $localize`Domains`, icon: 'link' as const },
  ].map(({ link, label, icon }) => ({ id: `page:${link}`, label, icon, link: [link] }));

  find(query: string, limit: number): readonly PaletteItem[] {
    const items = [...this.#pages, ...this.#commands()];
    return bestMatches(items, queryTerms(query), limit, ({ label }) => searchable(label));
  }

  #commands(): readonly PaletteItem[] {
    const files = (action: string) => () => void this.#runInFiles(action);
    const newApp = () => void this.#router.navigate(['/apps'], { queryParams: { do: 'new-app' } });
    return [
      { id: 'new-file', label: $localize`New file`, icon: 'plus', run: files('new-file') },
      { id: 'new-folder', label: $localize`New folder`, icon: 'folder-plus', run: files('new-folder') },
      { id: 'upload', label: $localize`Upload files`, icon: 'upload', run: files('upload') },
      { id: 'new-app', label: $localize`New app`, icon: 'plus', run: newApp },
      ...this.#themes(),
      { id: 'keys', label: $localize`Keyboard shortcuts`, icon: 'keyboard', run: () => void this.#palette.help() },
      { id: 'sign-out', label: $localize`Sign out`, icon: 'sign-out', run: () => void this.#signOut.run() },
    ];
  }

  /** Runs an action of the file browser: in the open folder, or else in the root. */
  #runInFiles(action: string): Promise<boolean> {
    const here = this.#router.parseUrl(this.#router.url);
    const isFolder = here.root.children['primary']?.segments[0]?.path === 'files';
    const url = isFolder ? here : this.#router.parseUrl('/files');
    url.queryParams = { ...url.queryParams, do: action };
    return this.#router.navigateByUrl(url);
  }

  /** The themes that are not active. */
  #themes(): readonly PaletteItem[] {
    const all = [
      { choice: 'dark', label: $localize`Use the dark theme`, icon: 'moon' },
      { choice: 'light', label: $localize`Use the light theme`, icon: 'sun' },
      { choice: 'system', label: $localize`Use the theme of the system`, icon: 'monitor' },
    ] as const;
    return all
      .filter(({ choice }) => choice !== this.#theme.choice())
      .map(({ choice, label, icon }) => ({
        id: `theme:${choice}`,
        label,
        icon,
        run: () => this.#theme.choose(choice),
      }));
  }
}
