import { HttpContext, HttpContextToken, HttpErrorResponse, type HttpInterceptorFn } from '@angular/common/http';
import { Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { bearerInterceptor } from '@homeport/identity/web';
import { asHttpProblem, type HttpProblem } from '@homeport/platform/web';
import { UPLOAD_HEADERS, UPLOAD_OPTIONS, uploadResponse, uploadClient } from '@homeport/platform/web/on-demand';
import { tap } from 'rxjs';
import { fileApiUrl } from '../tree/file-links';
import { retryAfterMs } from './retry-schedule';
import type { UploadItem } from './upload-plan';

/** Why an upload failed, and the `Retry-After` of the server. */
export interface FailedUpload {
  readonly problem: HttpProblem;
  readonly retryAfterMs: number | undefined;
}

export type UploadResult = { readonly entry: FileEntry } | FailedUpload;

const RETRY_AFTER = new HttpContextToken<{ ms: number | undefined }>(() => ({ ms: undefined }));

/** Keeps the `Retry-After` of a failed request, because `HttpProblem` does not contain it. */
const retryAfterInterceptor: HttpInterceptorFn = (request, next) =>
  next(request).pipe(
    tap({
      error: (error: unknown) => {
        if (!(error instanceof HttpErrorResponse)) return;
        request.context.get(RETRY_AFTER).ms = retryAfterMs(error.headers.get('Retry-After'), Date.now());
      },
    }),
  );

/** Uploads files with progress. */
@Service()
export class UploadChannel {
  readonly #http = uploadClient(bearerInterceptor, retryAfterInterceptor);

  /** Uploads one file. Rejects only when aborted. @param sent called with the number of bytes sent so far. */
  async send(item: UploadItem, sent: (bytes: number) => void, signal: AbortSignal): Promise<UploadResult> {
    const { key, content, replace } = item;
    const headers = { ...UPLOAD_HEADERS, ...(!replace && { 'If-None-Match': '*' }) };
    // `slice` removes the type: browsers guess it differently, so the server derives it from the file name.
    const bytes = content.slice();
    const context = new HttpContext();
    const call = this.#http.put<FileEntry>(fileApiUrl(key), bytes, { context, headers, ...UPLOAD_OPTIONS });
    try {
      return { entry: await uploadResponse(call, { size: bytes.size, sent, signal }) };
    } catch (error) {
      signal.throwIfAborted();
      return { problem: asHttpProblem(error), retryAfterMs: context.get(RETRY_AFTER).ms };
    }
  }
}
