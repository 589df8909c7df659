export { MAX_ARCHIVE_FILES, MAX_ARCHIVE_PATHS } from './archive';
export type { ArchiveLink, ArchiveRequest } from './archive';
export type { FileEntry, FileListing } from './file-entry';
export {
  encodeFilePath,
  filePathOf,
  MAX_PATH_BYTES,
  MAX_SEGMENT_BYTES,
  parseFilePrefix,
  parseRawFilePath,
} from './file-path';
export type { FilePathFault, ParsedFilePath } from './file-path';
