import { formatNumber } from '@homeport/platform/web';

export interface UploadMessages {
  readonly running: string;
  readonly done: string;
  /** For an upload that has ended without some of its files. */
  readonly partlyDone: string;
}

/** The titles of an upload to a directory. */
export function uploadMessages({ total, done }: { total: number; done: number }, target: string): UploadMessages {
  const count = formatNumber(total);
  if (total === 1) {
    return {
      running: $localize`Uploading 1 file to ${target}:folder:`,
      done: $localize`Uploaded 1 file to ${target}:folder:`,
      partlyDone: $localize`Could not upload 1 file to ${target}:folder:`,
    };
  }
  return {
    running: $localize`Uploading ${count}:count: files to ${target}:folder:`,
    done: $localize`Uploaded ${count}:count: files to ${target}:folder:`,
    partlyDone: $localize`Uploaded ${formatNumber(done)}:done: of ${count}:count: files to ${target}:folder:`,
  };
}

/** The message for an upload that has ended without some of its files. */
export function notUploadedMessage(failed: number, total: number, target: string): string {
  if (total === 1) return $localize`The file was not uploaded to ${target}:folder:.`;
  const all = formatNumber(total);
  return failed === 1
    ? $localize`1 of ${all}:total: files was not uploaded to ${target}:folder:.`
    : $localize`${formatNumber(failed)}:failed: of ${all}:total: files were not uploaded to ${target}:folder:.`;
}
