import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** A 74-byte archive whose tar header has a size field that parsers read as null. */
export const NULL_SIZE_TAR_GZ = Buffer.from(
  'H4sIAAAAAAAAA0tkoD0wMDAwMDMxAdMGBgZw+pABHDAYoLDNjI0MGBQM6OA2htLiksQiBgO62DUKRsEoGAWDCAAAH5MolwAGAAA=',
  'base64',
);

/** @param files contents by path. @returns a tar.gz archive. */
export async function tarGz(files) {
  const archive = pack();
  for (const [name, content] of files) archive.entry({ name }, content);
  archive.finalize();
  return gzipSync(await buffer(archive));
}

/** Builds a site with many files. @param pathBytes the length of each path. */
export function siteWithLongPaths(fileCount, pathBytes) {
  const files = [['index.html', 'start']];
  for (let i = 1; i < fileCount; i += 1) files.push([longPath(String(i), pathBytes), '']);
  return tarGz(files);
}

/** Returns a path of exactly `bytes` bytes in segments of at most 200. */
function longPath(name, bytes) {
  const segments = [];
  for (let left = bytes - name.length - 1; left > 0; left -= 201) segments.push('p'.repeat(Math.min(left, 200)));
  return `${segments.join('/')}/${name}`.slice(-bytes);
}

/** Builds a site with redirect rules that differ only in their last segment. */
export function siteWithRules(ruleCount) {
  const rules = Array.from({ length: ruleCount }, (_, i) => `/a/b/c/:one/:two/end-${i} /index.html 301`);
  return tarGz([
    ['index.html', 'start'],
    ['_redirects', rules.join('\n')],
  ]);
}

const LOCAL_HEADER_BYTES = 30;
const DIRECTORY_ENTRY_BYTES = 46;

/** Builds a zip whose central directory lists far more than the archive contains. */
export function zipWithLongDirectory(entryCount, nameBytes) {
  const local = Buffer.alloc(LOCAL_HEADER_BYTES + 1);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(1, 26);
  local.write('a', LOCAL_HEADER_BYTES);
  const directory = Buffer.alloc(entryCount * (DIRECTORY_ENTRY_BYTES + nameBytes), 'n');
  for (let i = 0; i < entryCount; i += 1) {
    const at = i * (DIRECTORY_ENTRY_BYTES + nameBytes);
    directory.fill(0, at, at + DIRECTORY_ENTRY_BYTES);
    directory.writeUInt32LE(0x02014b50, at);
    directory.writeUInt16LE(20, at + 6);
    directory.writeUInt16LE(nameBytes, at + 28);
    directory.write(String(i), at + DIRECTORY_ENTRY_BYTES);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(entryCount, 0xffff), 8);
  end.writeUInt16LE(Math.min(entryCount, 0xffff), 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, directory, end]);
}
