import { HttpProblem } from '@homeport/platform/web';
import type { FilesClient } from '../client/files-client';
import { MAX_EDITED_BYTES } from './edited-size';
import { readText, type StoredText } from './text-form';

/** A text file as it is stored. */
export interface EditableFile {
  readonly text: StoredText;
  readonly etag: string;
  readonly contentType: string;
  /** As the `Last-Modified` header has it; null when it was not sent. */
  readonly modifiedAt: string | null;
}

/** Why a file is not edited here. */
export type Refusal = 'not-text' | 'too-large';

/** A file to edit, `absent` when there is none; throws the `HttpProblem` of any other failure. */
export async function readEditable(
  files: Pick<FilesClient, 'head' | 'get'>,
  key: string,
): Promise<EditableFile | Refusal | 'absent'> {
  try {
    // What is not edited is not read either.
    if ((await files.head(key)).size > MAX_EDITED_BYTES) return 'too-large';
    const { content, contentType, etag, modifiedAt } = await files.get(key);
    // It may have grown in between.
    if (content.size > MAX_EDITED_BYTES) return 'too-large';
    const text = readText(new Uint8Array(await content.arrayBuffer()));
    return text ? { text, etag, contentType, modifiedAt } : 'not-text';
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 404) return 'absent';
    throw error;
  }
}
