import { HttpClient, HttpEventType, provideHttpClient, withInterceptors, withXhr } from '@angular/common/http';
import { createEnvironmentInjector, EnvironmentInjector, inject, Service } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { bearerInterceptor } from '@homeport/identity/web';
import { problemInterceptor } from '@homeport/platform/web';
import { filter, map, type Observable } from 'rxjs';
import { fileAddress } from '../tree/file-links';

export type UploadEvent = { readonly sent: number } | { readonly entry: FileEntry };

export interface UploadOrder {
  readonly key: string;
  readonly content: File;
  /** Whether a file that is there already may be replaced; otherwise it is a 412. */
  readonly replace: boolean;
}

/** Sends files with progress. Unsubscribing cancels; the server then keeps nothing of the body. */
@Service()
export class UploadChannel {
  // Only XMLHttpRequest tells how much of a body has been sent, so uploads have a client of their own.
  readonly #http = createEnvironmentInjector(
    [provideHttpClient(withXhr(), withInterceptors([problemInterceptor, bearerInterceptor]))],
    inject(EnvironmentInjector),
  ).get(HttpClient);

  send({ key, content, replace }: UploadOrder): Observable<UploadEvent> {
    const headers = {
      // Behind the service worker there would be no progress.
      'ngsw-bypass': '',
      ...(!replace && { 'If-None-Match': '*' }),
      // Saved web pages call themselves multipart, which the API takes for a form.
      ...(content.type.startsWith('multipart/') && { 'Content-Type': 'application/octet-stream' }),
    };
    return this.#http
      .put<FileEntry>(fileAddress(key), content, { headers, observe: 'events', reportUploadProgress: true })
      .pipe(
        map((event): UploadEvent | undefined => {
          if (event.type === HttpEventType.UploadProgress) return { sent: event.loaded };
          if (event.type === HttpEventType.Response && event.body) return { entry: event.body };
          return undefined;
        }),
        filter((event) => event !== undefined),
      );
  }
}
