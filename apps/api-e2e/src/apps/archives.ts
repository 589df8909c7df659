import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { pack } from 'tar-stream';

/** The files of a site by path. */
export type SiteFiles = Readonly<Record<string, string | Uint8Array>>;

/** Creates a tar.gz like `tar czf`. */
export async function tarGz(files: SiteFiles): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, Buffer.from(content as string));
  archive.finalize();
  return gzipSync(await buffer(archive));
}

export function zip(files: SiteFiles): Buffer {
  const entries = Object.entries(files).map(([name, content]) => {
    return [name, typeof content === 'string' ? strToU8(content) : content] as const;
  });
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}
