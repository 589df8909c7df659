import { ConnectionFailed } from './api.errors';
import { type BodySource, counted, type ProgressListener } from './body-source';
import type { FileEntryBody } from './generated/types.gen';
import type { Homeport } from './homeport';

export interface TransferOptions {
  readonly onProgress?: ProgressListener | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface UploadOptions extends TransferOptions {
  /** Default: by the extension of the path. */
  readonly contentType?: string;
  /** Replaces only the file with this entity tag, in quotes; otherwise 412 `files.precondition-failed`. */
  readonly ifMatch?: string;
  /** `*` writes only a new file. */
  readonly ifNoneMatch?: string;
  /** For example `sha-256=:…:`. The API stores nothing when the bytes differ. */
  readonly contentDigest?: string;
}

export interface DownloadOptions extends TransferOptions {
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  /** First byte of a continued download; use it with `ifMatch`. */
  readonly from?: number;
}

export interface Download {
  /** 304 when `ifNoneMatch` matches. */
  readonly status: number;
  readonly etag: string | null;
  readonly contentType: string | null;
  /** Total size of the transferred part. */
  readonly size: number | undefined;
  readonly body: ReadableStream<Uint8Array>;
}

/** The address of a file. Slashes separate folders. */
export function filePath(path: string): string {
  return `/api/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Writes a file. @throws {ApiProblem | ConnectionFailed} */
export async function uploadFile(
  homeport: Homeport,
  path: string,
  body: BodySource,
  { onProgress, signal, ...conditions }: UploadOptions = {},
): Promise<FileEntryBody> {
  const headers = present({
    'content-type': conditions.contentType,
    'if-match': conditions.ifMatch,
    'if-none-match': conditions.ifNoneMatch,
    'content-digest': conditions.contentDigest,
  });
  const response = await homeport.send({ method: 'PUT', path: filePath(path), headers, body, onProgress, signal });
  return (await response.json()) as FileEntryBody;
}

/** Reads a file as a stream. @throws {ApiProblem | ConnectionFailed} */
export async function downloadFile(
  homeport: Homeport,
  path: string,
  { from, ifMatch, ifNoneMatch, onProgress, signal }: DownloadOptions = {},
): Promise<Download> {
  const headers = present({
    range: from === undefined ? undefined : `bytes=${from}-`,
    'if-match': ifMatch,
    'if-none-match': ifNoneMatch,
  });
  const response = await homeport.send({ method: 'GET', path: filePath(path), headers, signal });
  const length = response.headers.get('content-length');
  const size = length === null ? undefined : Number(length);
  const body = response.body ? withConnectionErrors(response.body, homeport, signal) : new Blob().stream();
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    contentType: response.headers.get('content-type'),
    size,
    body: onProgress ? counted(body, size, onProgress) : body,
  };
}

/** Reports a connection that breaks between the bytes like one that breaks before them. */
function withConnectionErrors(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { baseUrl, signal: common }: Homeport,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        const aborted = [signal, common].find((each) => each?.aborted);
        controller.error(aborted ? aborted.reason : new ConnectionFailed(baseUrl, error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function present(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
