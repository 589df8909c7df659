import type { Type } from '@angular/core';
import { pictureType } from './picture/picture-type';
import type { FileView } from './shown-file';

const MIB = 1024 * 1024;

/** A view for certain files. */
export interface FileRenderer {
  readonly id: string;
  /** Whether this renderer can show such a file. */
  supports(name: string, contentType: string): boolean;
  /** The content it needs: the decoded text or the whole file. */
  readonly takes: 'text' | 'bytes';
  /** Larger files need another renderer. */
  readonly maxBytes: number;
  /** Whether users can switch to the raw text. */
  readonly hasRaw: boolean;
  load(): Promise<Type<FileView>>;
}

/** The maximum size of a text that is read whole; larger ones are read in parts. */
export const MAX_TEXT_BYTES = 8 * MIB;

/** The renderers of specific file types; the first match is used. */
export const FILE_RENDERERS: readonly FileRenderer[] = [
  {
    id: 'markdown',
    supports: (name) => /\.mdx?$/i.test(name),
    takes: 'text',
    maxBytes: 2 * MIB,
    hasRaw: true,
    load: () => import('./markdown/markdown-view').then((view) => view.MarkdownView),
  },
  {
    id: 'json',
    supports: (name) => /\.json$/i.test(name),
    takes: 'text',
    maxBytes: MAX_TEXT_BYTES,
    hasRaw: true,
    load: () => import('./json/json-view').then((view) => view.JsonView),
  },
  {
    id: 'table',
    supports: (name) => /\.[ct]sv$/i.test(name),
    takes: 'text',
    maxBytes: MAX_TEXT_BYTES,
    hasRaw: true,
    load: () => import('./table/table-view').then((view) => view.TableView),
  },
  {
    id: 'picture',
    supports: (name, type) => pictureType(name, type) !== undefined,
    takes: 'bytes',
    maxBytes: 50 * MIB,
    hasRaw: false,
    load: () => import('./picture/picture-view').then((view) => view.PictureView),
  },
  {
    id: 'pdf',
    supports: (name, type) => /\.pdf$/i.test(name) || type.startsWith('application/pdf'),
    takes: 'bytes',
    maxBytes: 200 * MIB,
    hasRaw: false,
    load: () => import('./pdf/pdf-view').then((view) => view.PdfView),
  },
];

/** Shows any text. */
export const TEXT_RENDERER: FileRenderer = {
  id: 'text',
  supports: () => true,
  takes: 'text',
  maxBytes: MAX_TEXT_BYTES,
  hasRaw: false,
  load: () => import('./text/text-view').then((view) => view.TextView),
};

/** Shows a text of any size, one part at a time. */
export const LARGE_TEXT_RENDERER: FileRenderer = {
  ...TEXT_RENDERER,
  id: 'large-text',
  maxBytes: Infinity,
  load: () => import('./text/large-text-view').then((view) => view.LargeTextView),
};

/** Shows the type of any other file. */
export const BINARY_RENDERER: FileRenderer = {
  id: 'binary',
  supports: () => true,
  takes: 'bytes',
  maxBytes: Infinity,
  hasRaw: false,
  load: () => import('./binary/binary-view').then((view) => view.BinaryView),
};

/** The renderer for a specific file type; undefined for other types and for files that are too large. */
export function rendererFor(name: string, contentType: string, size: number): FileRenderer | undefined {
  return FILE_RENDERERS.find((each) => each.supports(name, contentType) && size <= each.maxBytes);
}
