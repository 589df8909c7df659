import type { Routes } from '@angular/router';

/** Pages for those who build the product; a build that is not for them has none. */
export const devRoutes: Routes = [];
