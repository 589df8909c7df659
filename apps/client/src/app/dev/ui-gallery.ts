import { CdkMenu, CdkMenuItem } from '@angular/cdk/menu';
import { Component, inject, signal } from '@angular/core';
import {
  Activities,
  type ActivityView,
  CopyButton,
  EmptyState,
  ErrorPanel,
  FileIcon,
  HttpProblem,
  Icon,
  Key,
  RelativeTime,
  PageHeader,
  PathBar,
  Skeleton,
  StaleNotice,
  STATUS_TONES,
  StatusBadge,
  Toasts,
} from '@homeport/platform/web';
import { ProgressBar, ProgressRing, Segmented } from '@homeport/platform/web/on-demand';

/** Shows all components in all states and both themes. For developers only, so its texts are not translated. */
@Component({
  selector: 'hp-ui-gallery',
  imports: [
    CdkMenu,
    CdkMenuItem,
    CopyButton,
    EmptyState,
    ErrorPanel,
    FileIcon,
    Icon,
    Key,
    RelativeTime,
    PageHeader,
    PathBar,
    ProgressBar,
    ProgressRing,
    Segmented,
    Skeleton,
    StaleNotice,
    StatusBadge,
  ],
  templateUrl: './ui-gallery.html',
  styleUrl: './ui-gallery.css',
})
export class UiGallery {
  readonly #toasts = inject(Toasts);
  readonly #activities = inject(Activities);
  protected readonly themes = ['dark', 'light'] as const;
  protected readonly tones = STATUS_TONES;
  protected readonly files = ['md', 'txt', 'json', 'csv', 'png', 'pdf', 'zip', 'mp3', 'mp4', 'other'].map(
    (kind) => `notes.${kind}`,
  );
  protected readonly paths = [
    'Files',
    'Files/reports',
    'Files/reports/q3.md',
    'Files/reports/2026/third quarter/a rather long name of a directory/q3.md',
  ].map((path) => ({ path, steps: path.split('/').map((label) => ({ label, link: ['/files'] })) }));
  protected readonly segments = [
    { value: 'list', label: 'List' },
    { value: 'grid', label: 'Grid', icon: 'apps' },
    { value: 'off', label: 'Off' },
  ] as const;
  protected readonly segment = signal('grid');
  protected readonly aMomentAgo = new Date(Date.now() - 180_000).toISOString();
  protected readonly refused = new HttpProblem({
    kind: 'refused',
    status: 503,
    title: 'Service unavailable',
    detail: 'Your data cannot be read or saved right now. Try again in a few seconds.',
    code: 'platform.database-unavailable',
    requestId: '01JB6Z0M5Y0000000000000000',
  });
  protected readonly offline = new HttpProblem({
    kind: 'offline',
    status: 0,
    title: 'You are offline',
    detail: 'This device has no connection. Try again when it is back.',
    code: 'client.offline',
  });

  protected showToasts(): void {
    this.#toasts.show('Copied.');
    this.#toasts.show('Deleted notes.md.', { label: 'Undo', run: () => undefined }, { autoClose: true });
    this.#toasts.show('A new version is ready.', { label: 'Reload', run: () => undefined });
  }

  protected showActivities(): void {
    const views: ActivityView[] = [
      { title: 'Uploading 3,204 files', detail: '412 MiB of 1.2 GiB', state: 'running', progress: 0.34 },
      { title: 'Moving reports', state: 'running' },
      {
        title: 'Uploading 12 files',
        state: 'attention',
        detail: '2 exist already',
        actions: [{ label: 'Decide', run: () => undefined }],
      },
      { title: 'Uploading site.zip', state: 'done' },
      {
        title: 'Deleting 40 files',
        state: 'failed',
        problems: ['a.md: it has changed meanwhile', 'b.md: it is locked'],
      },
      { title: 'Uploading video.mp4', state: 'cancelled' },
    ];
    for (const view of views) this.#activities.add(signal(view));
  }
}
