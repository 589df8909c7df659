import { basename } from 'node:path';
import { downloadFile, type Homeport, operations, uploadFile } from '@homeport/api-client';
import { headOf } from '../files/remote-file';
import { defineCommand } from './command';

export const filesMvCommand = defineCommand({
  name: 'mv <from> <to>',
  summary: 'Rename a file; never replaces another one',
  options: (yargs) =>
    yargs
      .positional('from', { type: 'string', demandOption: true, describe: 'Path in the workspace' })
      .positional('to', { type: 'string', demandOption: true, describe: 'New path; a folder ends with /' }),
  run: async (context, { from, to }) => {
    const { signal } = context;
    const homeport = await context.server();
    const target = to.endsWith('/') ? to + basename(from) : to;
    const { etag, size, contentType } = await headOf(homeport, from);
    let failure: unknown;
    const onFailure = (error: unknown) => (failure = error);
    const body = { open: () => streamOf(homeport, { path: from, ifMatch: etag, signal, onFailure }), size };
    const entry = await uploadFile(homeport, target, body, { ifNoneMatch: '*', contentType, signal }).catch(
      (error: unknown) => {
        // The upload only reports that its body ended early.
        throw failure ?? error;
      },
    );
    // Another version of the old file stays.
    const headers = { 'If-Match': etag };
    await operations.deleteFile({ client: homeport.client, path: { path: from }, headers, signal });
    context.terminal.result(entry, () => `Renamed ${from} to ${entry.key}`);
  },
});

interface SourceFile {
  readonly path: string;
  readonly ifMatch: string;
  readonly signal: AbortSignal;
  /** Called when the file cannot be read. */
  readonly onFailure: (error: unknown) => void;
}

function streamOf(homeport: Homeport, { path, ifMatch, signal, onFailure }: SourceFile): ReadableStream<Uint8Array> {
  const through = new TransformStream<Uint8Array, Uint8Array>();
  downloadFile(homeport, path, { ifMatch, signal })
    .catch((error: unknown) => {
      onFailure(error);
      throw error;
    })
    .then(({ body }) => body.pipeTo(through.writable))
    .catch((error: unknown) => through.writable.abort(error).catch(() => undefined));
  return through.readable;
}
