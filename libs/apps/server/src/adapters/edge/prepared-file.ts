import { Negotiator } from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';
import type { Encoding } from '../../application/blobs/blob-store.port';
import type { SiteFile } from '../../application/sites/site-directory.port';
import type { Header } from '../../domain/sites/header-rules';

/** How a file is served at an address. */
export interface ServedFile {
  /** Whose it is. */
  readonly appId: string;
  readonly file: SiteFile;
  readonly status: 200 | 404;
  /** Whether the bytes at this address will never be others. */
  readonly isImmutable: boolean;
  readonly isPreview: boolean;
  /** Whether people and everybody else get different answers here. */
  readonly variesByNavigation: boolean;
  /** Whether nobody may store the answer, because it is meant for one visitor. */
  readonly isPersonal?: boolean;
  /** What the site's own rules add. */
  readonly fields: readonly Header[];
}

/** A file in one of its codings, ready to be sent. */
export interface Variant {
  readonly encoding: Encoding;
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
  /** Of the body, among all that are kept. */
  readonly key: string;
  /** Names and values in turns, of the whole file. */
  readonly headers: readonly string[];
  /** The same for whoever has it already. */
  readonly unchanged: readonly string[];
}

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'public, max-age=0, must-revalidate';
/** Of a SHA-256 in base64url: 128 bits are plenty to tell the files of one address apart. */
const ETAG_LENGTH = 22;
const ETAG_SUFFIXES: Readonly<Record<Encoding, string>> = { identity: '', br: '-br', gzip: '-gz' };

/** A file at an address. What it takes to send it is made once, and each coding when it is first asked for. */
export class PreparedFile {
  readonly appId: string;
  readonly file: SiteFile;
  readonly status: 200 | 404;
  readonly #negotiator: Negotiator<Encoding> | undefined;
  readonly #common: readonly string[];
  readonly #contentType: string;
  readonly #variants = new Map<Encoding, Variant>();

  constructor(served: ServedFile) {
    this.appId = served.appId;
    this.file = served.file;
    this.status = served.status;
    this.#negotiator = negotiatorFor(served.file);
    const fields = new Map(served.fields);
    // Previews stay out of search engines, whatever the site says.
    const own = ['content-type', 'cache-control', ...(served.isPreview ? ['x-robots-tag'] : [])];
    this.#contentType = fields.get('content-type') ?? served.file.contentType;
    this.#common = [
      ...['X-Content-Type-Options', 'nosniff'],
      ...['Cache-Control', served.isPersonal ? 'no-store' : cacheControlOf(served, fields)],
      ...varyOf(served, this.#negotiator !== undefined),
      // The id is the preview's address, so the live site, which everyone may read, does not disclose it.
      ...(served.isPreview ? ['X-Robots-Tag', 'noindex', 'X-Deploy-Id', served.file.deployId] : []),
      ...(served.status === 200 ? ['Accept-Ranges', 'bytes'] : []),
      ...served.fields.filter(([name]) => !own.includes(name)).flat(),
    ];
  }

  /** Characters of what is said beside its bytes. */
  get headLength(): number {
    return this.#common.reduce((sum, { length }) => sum + length, this.#contentType.length);
  }

  /** The coding that suits whoever accepts these. */
  variantFor(acceptEncoding: string | undefined): Variant {
    if (acceptEncoding === undefined) return this.variant('identity');
    return this.variant(this.#negotiator?.negotiate(expandWildcard(acceptEncoding.toLowerCase())) ?? 'identity');
  }

  variant(encoding: Encoding): Variant {
    let variant = this.#variants.get(encoding);
    if (!variant) this.#variants.set(encoding, (variant = this.#made(encoding)));
    return variant;
  }

  /** Header fields of some bytes of it. @param contentRange which they are. */
  partialContentHeaders(length: number, contentRange: string): readonly string[] {
    const { etag } = this.variant('identity');
    const own = ['ETag', etag, 'Content-Type', this.#contentType, 'Content-Length', String(length)];
    return [...this.#common, ...own, 'Content-Range', contentRange];
  }

  /** Header fields of the answer that there are no such bytes. */
  rangeNotSatisfiableHeaders(): readonly string[] {
    return [...this.#common, 'Content-Length', '0', 'Content-Range', `bytes */${this.file.size}`];
  }

  #made(encoding: Encoding): Variant {
    const { file } = this;
    const size = { identity: file.size, br: file.brSize ?? 0, gzip: file.gzipSize ?? 0 }[encoding];
    const tag = Buffer.from(file.digest, 'hex').toString('base64url').slice(0, ETAG_LENGTH);
    const etag = `"${tag}${ETAG_SUFFIXES[encoding]}"`;
    // Only what was found at its address can be told to be still the same.
    const unchanged = this.status === 200 ? [...this.#common, 'ETag', etag] : this.#common;
    const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    const content = ['Content-Type', this.#contentType, 'Content-Length', String(size), ...coding];
    return { encoding, etag, size, key: `${file.blob} ${encoding}`, headers: [...unchanged, ...content], unchanged };
  }
}

/** By the codings that a file has: few different headers are ever sent, so what is chosen is remembered. */
const NEGOTIATORS = new Map<string, Negotiator<Encoding>>();

function negotiatorFor({ brSize, gzipSize }: SiteFile): Negotiator<Encoding> | undefined {
  const codings = [brSize !== undefined && 'br', gzipSize !== undefined && 'gzip'].filter((each) => each !== false);
  if (codings.length === 0) return undefined;
  const known = NEGOTIATORS.get(codings.join());
  if (known) return known;
  const supportedValues: Encoding[] = [...(codings as Encoding[]), 'identity'];
  const made = new Negotiator<Encoding>({ supportedValues, cache: new LRUCache<string, string>({ max: 500 }) });
  NEGOTIATORS.set(codings.join(), made);
  return made;
}

/** The negotiator takes "*" for the first coding, even where that is refused by name. @param accepted in lower case. */
function expandWildcard(accepted: string): string {
  if (!accepted.includes('*')) return accepted;
  const parts = accepted.split(',');
  const nameOf = (part: string) => part.split(';', 1)[0]?.trim();
  const named = new Set(parts.map(nameOf));
  const others = Object.keys(ETAG_SUFFIXES).filter((coding) => !named.has(coding));
  return parts
    .flatMap((part) => (nameOf(part) === '*' ? others.map((coding) => part.replace('*', coding)) : [part]))
    .join();
}

function cacheControlOf({ isImmutable }: ServedFile, fields: ReadonlyMap<string, string>): string {
  return fields.get('cache-control') ?? (isImmutable ? IMMUTABLE : REVALIDATE);
}

function varyOf({ variesByNavigation }: ServedFile, hasCodings: boolean): string[] {
  const names = [hasCodings && 'Accept-Encoding', variesByNavigation && 'Accept, Sec-Fetch-Mode'];
  const value = names.filter((each) => each !== false).join(', ');
  return value === '' ? [] : ['Vary', value];
}
