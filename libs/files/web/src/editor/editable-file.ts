import { HttpProblem } from '@homeport/platform/web';
import type { FilesClient } from '../client/files-client';
import { MAX_EDITABLE_BYTES } from './max-editable-size';
import { decodeStoredText, type StoredText } from './text-encoding';

/** A stored text file. */
export interface EditableFile {
  readonly text: StoredText;
  readonly etag: string;
  readonly contentType: string;
  /** As the `Last-Modified` header has it; null when it was not sent. */
  readonly modifiedAt: string | null;
}

/** Why a file cannot be edited. */
export type NotEditableReason = 'not-text' | 'too-large';

/** Reads a file to edit; `absent` when it does not exist. @throws {HttpProblem} any other failure. */
export async function readEditableFile(
  files: Pick<FilesClient, 'head' | 'get'>,
  key: string,
): Promise<EditableFile | NotEditableReason | 'absent'> {
  try {
    // Checks the size first: a file that is too large is not read.
    if ((await files.head(key)).size > MAX_EDITABLE_BYTES) return 'too-large';
    const { content, contentType, etag, modifiedAt } = await files.get(key);
    // The file may have grown between the two requests.
    if (content.size > MAX_EDITABLE_BYTES) return 'too-large';
    const text = decodeStoredText(new Uint8Array(await content.arrayBuffer()));
    return text ? { text, etag, contentType, modifiedAt } : 'not-text';
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 404) return 'absent';
    throw error;
  }
}
