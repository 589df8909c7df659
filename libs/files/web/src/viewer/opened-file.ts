import { displayPath, nameOf } from '../tree/display-path';
import type { FileMetadata, FilesClient } from '../client/files-client';
import { isKnownBinary } from './file-type-label';
import {
  BINARY_RENDERER,
  type FileRenderer,
  LARGE_TEXT_RENDERER,
  MAX_TEXT_BYTES,
  rendererFor,
  TEXT_RENDERER,
} from './file-renderers';
import type { ShownFile } from './shown-file';
import { decodeText, encodingOfSample } from './text/decode-text';

/** The operations of the client that opening a file needs. */
type FileReader = Pick<FilesClient, 'head' | 'get'>;

const SAMPLE_BYTES = 64 * 1024;

export interface OpenedFile {
  readonly file: ShownFile;
  readonly renderer: FileRenderer;
}

/**
 * Reads what the view of a file needs. Reads the metadata first, so that large files are not read whole.
 * @param progress is told how many bytes of a file that is read whole have arrived, and how many it has.
 */
export async function openFile(
  files: FileReader,
  key: string,
  signal: AbortSignal,
  progress: (received: number, total: number) => void = () => undefined,
): Promise<OpenedFile> {
  const facts = await files.head(key, signal);
  const received = (bytes: number): void => progress(bytes, facts.size);
  const name = nameOf(displayPath(key));
  const base = { key, name, facts };
  if (facts.size === 0) return { file: { ...base, text: '', encoding: 'utf-8' }, renderer: TEXT_RENDERER };
  const renderer = rendererFor(name, facts.contentType, facts.size);
  if (renderer?.takes === 'bytes') {
    const { content } = await files.get(key, signal, undefined, received);
    return { file: { ...base, facts: { ...facts, size: content.size }, bytes: content }, renderer };
  }
  const isLarge = facts.size > MAX_TEXT_BYTES;
  if (isLarge || isKnownBinary(facts.contentType)) {
    const sample = await sampleOf(files, facts, signal);
    // The content type is guessed from the name and can be wrong: `.ts` is TypeScript and a video format.
    const encoding = encodingOfSample(sample);
    if (!encoding) return { file: { ...base, sample }, renderer: BINARY_RENDERER };
    if (isLarge) return { file: { ...base, sample, encoding }, renderer: LARGE_TEXT_RENDERER };
  }
  const { content, etag } = await files.get(key, signal, undefined, received);
  const bytes = new Uint8Array(await content.arrayBuffer());
  const read = { ...base, facts: { ...facts, etag, size: bytes.length } };
  const decoded = decodeText(bytes);
  if (!decoded) return { file: { ...read, sample: bytes.slice(0, SAMPLE_BYTES) }, renderer: BINARY_RENDERER };
  return { file: { ...read, ...decoded }, renderer: renderer ?? TEXT_RENDERER };
}

async function sampleOf(files: FileReader, { key, size }: FileMetadata, signal: AbortSignal): Promise<Uint8Array> {
  const { content } = await files.get(key, signal, { first: 0, last: Math.min(SAMPLE_BYTES, size) - 1 });
  return new Uint8Array(await content.arrayBuffer());
}
