import type { InputSignal } from '@angular/core';
import type { FileMetadata } from '../client/files-client';
import type { TextEncoding } from './text/decode-text';

/** A file with the content that its view needs. */
export interface ShownFile {
  readonly key: string;
  readonly name: string;
  readonly facts: FileMetadata;
  /** The whole text, for renderers that take text. */
  readonly text?: string;
  readonly encoding?: TextEncoding;
  /** The whole content, for renderers that take bytes. */
  readonly bytes?: Blob;
  /** The first bytes, for files that are read in parts or cannot be shown. */
  readonly sample?: Uint8Array;
}

/** A component that shows a file. */
export interface FileView {
  readonly file: InputSignal<ShownFile>;
}
