/** Called as bytes pass. @param total undefined when the size is unknown. */
export type ProgressListener = (transferred: number, total: number | undefined) => void;

/** Bytes that are read when they are sent. */
export interface StreamSource {
  /** Opens a new stream for each attempt. */
  readonly open: () => ReadableStream<Uint8Array>;
  /** In bytes. Without it, the body is sent in chunks. */
  readonly size?: number;
}

/** The bytes of an upload. Browsers send a `StreamSource` over HTTP/2 only; use a `Blob` there. */
export type BodySource = Blob | Uint8Array<ArrayBuffer> | string | StreamSource;

export interface RequestBody {
  readonly body: BodyInit;
  readonly size: number | undefined;
}

export function isStream(source: BodySource): source is StreamSource {
  return typeof source !== 'string' && 'open' in source;
}

export function bytesOf(source: Exclude<BodySource, StreamSource>): Blob | Uint8Array<ArrayBuffer> {
  return typeof source === 'string' ? new TextEncoder().encode(source) : source;
}

/** @returns a body for one attempt. Streams it only if that is necessary: for progress, or because it is a stream. */
export function bodyOf(source: BodySource, onProgress?: ProgressListener): RequestBody {
  const bytes = isStream(source) ? source : bytesOf(source);
  const size = bytes instanceof Uint8Array ? bytes.byteLength : bytes.size;
  if (!onProgress) return { body: isStream(bytes) ? bytes.open() : bytes, size };
  const stream = isStream(bytes) ? bytes.open() : new Blob([bytes]).stream();
  return { body: counted(stream, size, onProgress), size };
}

/** Passes the bytes of a stream on and reports their number. */
export function counted(
  stream: ReadableStream<Uint8Array>,
  total: number | undefined,
  onProgress: ProgressListener,
): ReadableStream<Uint8Array> {
  let transferred = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        transferred += chunk.byteLength;
        onProgress(transferred, total);
        controller.enqueue(chunk);
      },
    }),
  );
}
