import { DOCUMENT, inject, Service } from '@angular/core';
import { type RouterStateSnapshot, TitleStrategy } from '@angular/router';
import { BUILD_INFO } from '@homeport/platform/web';

/** The page first, then the app name: tabs are narrow. */
@Service()
export class PageTitleStrategy extends TitleStrategy {
  readonly #document = inject(DOCUMENT);

  override updateTitle(state: RouterStateSnapshot): void {
    const title = this.buildTitle(state);
    this.#document.title = title ? `${title} · ${BUILD_INFO.name}` : BUILD_INFO.name;
  }
}
