import { HttpProblem } from '@homeport/platform/web';
import type { FilesClient } from '../client/files-client';
import { MAX_EDITABLE_BYTES } from './max-editable-size';
import { decodeStoredText, type StoredText } from './text-encoding';

/** A text file as it is stored. */
export interface EditableFile {
  readonly text: StoredText;
  readonly etag: string;
  readonly contentType: string;
  /** As the `Last-Modified` header has it; null when it was not sent. */
  readonly modifiedAt: string | null;
}

/** Why a file is not edited here. */
export type NotEditableReason = 'not-text' | 'too-large';

/** A file to edit, `absent` when there is none; throws the `HttpProblem` of any other failure. */
export async function readEditableFile(
  files: Pick<FilesClient, 'head' | 'get'>,
  key: string,
): Promise<EditableFile | NotEditableReason | 'absent'> {
  try {
    // What is not edited is not read either.
    if ((await files.head(key)).size > MAX_EDITABLE_BYTES) return 'too-large';
    const { content, contentType, etag, modifiedAt } = await files.get(key);
    // It may have grown in between.
    if (content.size > MAX_EDITABLE_BYTES) return 'too-large';
    const text = decodeStoredText(new Uint8Array(await content.arrayBuffer()));
    return text ? { text, etag, contentType, modifiedAt } : 'not-text';
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 404) return 'absent';
    throw error;
  }
}
