import { DOCUMENT, inject, Service } from '@angular/core';
import { type RouterStateSnapshot, TitleStrategy } from '@angular/router';
import { BUILD_INFO } from '@homeport/platform/web';

/** Puts the page title before the app name, because browser tabs are narrow. */
@Service()
export class PageTitleStrategy extends TitleStrategy {
  readonly #document = inject(DOCUMENT);

  override updateTitle(state: RouterStateSnapshot): void {
    const title = this.buildTitle(state);
    this.#document.title = title ? `${title} · ${BUILD_INFO.name}` : BUILD_INFO.name;
  }
}
