import type { FileFacts, FilesClient } from '../client/files-client';
import { contentOf, type FileContent, isKnownBinary, MAX_SHOWN_BYTES } from './file-content';

export interface OpenedFile {
  readonly facts: FileFacts;
  readonly content: FileContent;
}

/** Reads a file to show it. What cannot be shown is not read: its size and type are asked for first. */
export async function openFile(client: FilesClient, key: string, signal: AbortSignal): Promise<OpenedFile> {
  const facts = await client.head(key, signal);
  if (isKnownBinary(facts.contentType)) return { facts, content: { kind: 'binary' } };
  if (facts.size > MAX_SHOWN_BYTES) return { facts, content: { kind: 'too-large' } };
  const { content } = await client.get(key, signal);
  const bytes = new Uint8Array(await content.arrayBuffer());
  return { facts: { ...facts, size: bytes.length }, content: contentOf(key, bytes) };
}
