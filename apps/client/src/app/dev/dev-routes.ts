import type { Routes } from '@angular/router';

/** Developer pages; empty in a production build. */
export const devRoutes: Routes = [];
