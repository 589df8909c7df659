import { APP_TYPES, type AppType } from '@homeport/apps/contracts';
import { type FieldProblem, InvalidRequest } from '@homeport/kernel';
import { ArchiveRejected, MAX_REPORTED_ENTRIES, printableName } from './archive.errors';
import { type ArchiveLimits, formatBytes, maxEntries, maxPathBytes } from './archive-limits';
import { type SiteEntry, SiteListing } from './site-listing';

const DIGEST = /^sha256:([0-9a-f]{64})$/;
/** JSON around each path: the digest, the size and the names of the fields. */
const BYTES_PER_FILE = 160;

/** A file that a manifest names. */
export type ManifestFile = Omit<SiteEntry, 'position'>;

/** A manifest as it was sent, with valid field types. */
export interface SiteManifest {
  /** By path, as sent. */
  readonly files: ReadonlyMap<string, Omit<ManifestFile, 'path'>>;
  readonly type: AppType | undefined;
}

/** Bytes of the largest manifest, uncompressed. */
export function maxManifestBytes(limits: ArchiveLimits): number {
  return maxPathBytes(limits) + limits.files * BYTES_PER_FILE;
}

/** @returns the SHA-256 in lower-case hex of a digest as manifests write it; undefined when it is malformed. */
export function parseDigest(text: string): string | undefined {
  return DIGEST.exec(text)?.[1];
}

/** Writes a digest like a manifest. @param digest SHA-256 in lower-case hex. */
export function formatDigest(digest: string): string {
  return `sha256:${digest}`;
}

/** Parses the JSON of a manifest. @throws {InvalidRequest} with the first invalid fields. */
export function parseManifest(text: string): SiteManifest {
  const { files, type, ...unknown } = objectOf(parseJson(text), 'The manifest');
  const [field] = Object.keys(unknown);
  if (field !== undefined) throw new InvalidRequest(`The manifest has an unknown field: ${printableName(field)}.`);
  if (type !== undefined && !APP_TYPES.some((known) => known === type)) {
    throw new InvalidRequest('The type is unknown.', [
      { field: 'type', reason: `It must be ${APP_TYPES.join(' or ')}.` },
    ]);
  }
  const faults: FieldProblem[] = [];
  const parsed = new Map<string, Omit<ManifestFile, 'path'>>();
  for (const [path, file] of Object.entries(objectOf(files, '"files"'))) {
    const found = parseFile(file);
    if (typeof found !== 'string') parsed.set(path, found);
    else if (faults.push({ field: `files.${printableName(path)}`, reason: found }) === MAX_REPORTED_ENTRIES) break;
  }
  if (faults.length > 0) throw new InvalidRequest('Some files of the manifest are invalid.', faults);
  return { files: parsed, type: type as AppType | undefined };
}

/**
 * Applies the rules and limits of archives to a manifest.
 * @param type of the app.
 * @returns the files to publish, in the order of their paths.
 * @throws {ArchiveRejected} with all rejected entries, or at a limit.
 */
export function filesToPublish(
  { files }: SiteManifest,
  limits: ArchiveLimits,
  type: AppType = 'static',
): readonly ManifestFile[] {
  if (files.size > maxEntries(limits)) {
    throw ArchiveRejected.forArchive(`The manifest has more than ${maxEntries(limits).toLocaleString('en')} entries.`);
  }
  const listing = new SiteListing(limits, type);
  let position = 0;
  try {
    for (const [name, { size, digest }] of files) {
      const path = listing.admit(name, 'file', size);
      if (path !== undefined) listing.add({ path, size, digest, position: position++ });
    }
  } catch (error) {
    throw listing.withFaults(error);
  }
  const published = listing.finish();
  assertTotalSize(published, limits, type);
  return published.map(({ path, size, digest }) => ({ path, size, digest }));
}

function assertTotalSize(files: readonly ManifestFile[], { unpackedBytes }: ArchiveLimits, type: AppType): void {
  const sizes = new Map<string, number>();
  let total = 0;
  for (const { path, size, digest } of files) {
    total += size;
    if ((sizes.get(digest) ?? size) !== size)
      throw ArchiveRejected.forEntry(path, 'Another file has the same digest and a different size.');
    sizes.set(digest, size);
  }
  if (total <= unpackedBytes) return;
  const most = formatBytes(unpackedBytes);
  throw ArchiveRejected.forArchive(
    type === 'ssr'
      ? `The files have more than ${most} in total. Run "npm prune --omit=dev" before you deploy, or bundle the server.`
      : `The files have more than ${most} in total. Deploy only the output of the build.`,
  );
}

/** @returns the file, or the reason why it is invalid. */
function parseFile(file: unknown): Omit<ManifestFile, 'path'> | string {
  if (typeof file !== 'object' || file === null || Object.keys(file).length !== 2) {
    return 'It must have the fields "digest" and "size", and no others.';
  }
  const { digest, size } = file as { readonly digest?: unknown; readonly size?: unknown };
  const hex = typeof digest === 'string' ? parseDigest(digest) : undefined;
  if (hex === undefined) return '"digest" must be "sha256:" and 64 lower-case hexadecimal digits.';
  if (!Number.isSafeInteger(size) || (size as number) < 0) return '"size" must be the number of bytes.';
  return { digest: hex, size: size as number };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidRequest('The manifest is not valid JSON in UTF-8.');
  }
}

function objectOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InvalidRequest(`${name} must be a JSON object.`);
}
