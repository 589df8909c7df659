import type { ActivatedRouteSnapshot, CanDeactivateFn, Routes, UrlSegment, UrlMatchResult } from '@angular/router';
import type { FileEditor } from './editor/file-editor';
import { nameOf, displayPath } from './tree/display-path';
import { pathFromSegments } from './tree/file-links';

/** Matches a first segment and all paths below it, so that the component is reused between directories. */
const subtree =
  (first: string) =>
  (segments: UrlSegment[]): UrlMatchResult | null =>
    segments[0]?.path === first ? { consumed: segments } : null;

const pathTitle = (route: ActivatedRouteSnapshot): string =>
  nameOf(displayPath(pathFromSegments(route.url))) || $localize`Files`;

const canDeactivate: CanDeactivateFn<FileEditor> = (editor, _route, _here, next) => editor.canDeactivate(next);

const loadIncoming = () => import('./share/incoming-file').then((page) => page.IncomingFile);

export const filesRoutes: Routes = [
  {
    path: '',
    pathMatch: 'full',
    title: () => $localize`Home`,
    loadComponent: () => import('./dashboard/dashboard').then((page) => page.Dashboard),
  },
  {
    matcher: subtree('files'),
    title: pathTitle,
    loadComponent: () => import('./browser/file-browser').then((page) => page.FileBrowser),
  },
  { path: 'view', pathMatch: 'full', redirectTo: 'files' },
  {
    matcher: subtree('view'),
    title: pathTitle,
    loadComponent: () => import('./viewer/file-viewer').then((page) => page.FileViewer),
  },
  { path: 'edit', pathMatch: 'full', redirectTo: 'files' },
  {
    matcher: subtree('edit'),
    title: pathTitle,
    loadComponent: () => import('./editor/file-editor').then((page) => page.FileEditor),
    canDeactivate: [canDeactivate],
  },
  { path: 'open', title: () => $localize`Open a file`, data: { from: 'launch' }, loadComponent: loadIncoming },
  { path: 'share', title: () => $localize`Save to your files`, data: { from: 'share' }, loadComponent: loadIncoming },
];
