import type { Signal } from '@angular/core';
import type { Breadcrumb } from '../../breadcrumbs/page-breadcrumbs';

/** The steps that the path menu lists. */
export abstract class PathSteps {
  abstract readonly steps: Signal<readonly Breadcrumb[]>;
}
