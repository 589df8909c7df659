import { OverlayContainer } from '@angular/cdk/overlay';
import { ElementRef, inject, Injectable } from '@angular/core';

/**
 * Puts the menus of a component into the component, and so into the landmark it lies in, instead of behind everything
 * that the page has. Provide it as the `OverlayContainer` of a component that has menus.
 */
@Injectable()
export class InlineOverlayContainer extends OverlayContainer {
  readonly #host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  protected override _createContainer(): void {
    this._containerElement = this._document.createElement('div');
    this._containerElement.classList.add('cdk-overlay-container');
    this.#host.append(this._containerElement);
  }
}
