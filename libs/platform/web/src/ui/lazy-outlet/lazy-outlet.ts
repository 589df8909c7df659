import { NgComponentOutlet } from '@angular/common';
import { Component, input, resource, type Type } from '@angular/core';
import { asHttpProblem } from '../../http/http-problem';
import { ErrorPanel } from '../error-panel/error-panel';

/** Shows a component that is loaded on demand, such as a part of another domain. The content is shown until then. */
@Component({
  selector: 'hp-lazy-outlet',
  imports: [ErrorPanel, NgComponentOutlet],
  template: `
    @if (loaded.hasValue()) {
      <ng-container [ngComponentOutlet]="loaded.value()" [ngComponentOutletInputs]="inputs()" />
    } @else if (loaded.error()) {
      <hp-error-panel
        i18n-title
        title="This part of the page could not be loaded"
        [problem]="problem()"
        (retry)="loaded.reload()"
      />
    } @else {
      <ng-content />
    }
  `,
  styles: `
    :host {
      display: block;
    }
  `,
})
export class LazyOutlet {
  readonly load = input.required<() => Promise<Type<unknown>>>();
  /** Inputs of the component. */
  readonly inputs = input<Record<string, unknown>>();
  protected readonly loaded = resource({ params: () => this.load(), loader: ({ params }) => params() });
  protected readonly problem = () => asHttpProblem(this.loaded.error());
}
