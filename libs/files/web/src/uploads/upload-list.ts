import { Component, computed, inject } from '@angular/core';
import { fileSize, Icon } from '@homeport/platform/web';
import { type Upload, Uploads } from './uploads';

function needsSomebody({ state }: Upload): boolean {
  return state === 'failed' || state === 'exists';
}

/** How each upload stands, with what can be done about it. */
@Component({
  selector: 'hp-upload-list',
  imports: [Icon],
  templateUrl: './upload-list.html',
  styleUrl: './upload-list.css',
})
export class UploadList {
  protected readonly uploads = inject(Uploads);
  protected readonly heading = computed(() => {
    const active = this.uploads.active();
    if (active > 0) return `Uploading ${active === 1 ? '1 file' : `${active} files`}`;
    const list = this.uploads.list();
    const done = list.filter(({ state }) => state === 'done').length;
    if (done === list.length) return 'Uploads done';
    const failed = list.filter(needsSomebody).length;
    return `${done} of ${list.length} uploaded${failed === 0 ? '' : `, ${failed} not`}`;
  });
  /** What needs somebody comes first: a long list scrolls, and a failure must not lie below its edge. */
  protected readonly rows = computed(() => {
    const list = this.uploads.list();
    return [...list.filter(needsSomebody), ...list.filter((upload) => !needsSomebody(upload))];
  });

  protected words({ state, sent, content, problem }: Upload): string {
    switch (state) {
      case 'waiting':
        return 'Waiting';
      case 'sending':
        return `${fileSize(sent)} of ${fileSize(content.size)}`;
      case 'done':
        return `Done, ${fileSize(content.size)}`;
      case 'exists':
        return 'A file with this name is already here';
      case 'cancelled':
        return 'Cancelled';
      case 'failed':
        return problem ? `${problem.title}. ${problem.detail}` : 'Failed';
    }
  }

  protected percent({ sent, content }: Upload): number {
    return content.size === 0 ? 0 : Math.min(100, Math.round((sent / content.size) * 100));
  }
}
