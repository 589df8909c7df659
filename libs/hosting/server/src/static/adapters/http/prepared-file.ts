import { Negotiator } from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';
import type { Encoding } from '@homeport/platform/server/blobs';
import type { SiteFile } from '../../../routing/application/site-directory.port';
import type { Header } from '@homeport/hosting/contracts';

/** How a file is served at an address. */
export interface ServedFile {
  /** The app that owns the file. */
  readonly appId: string;
  readonly file: SiteFile;
  readonly status: 200 | 404;
  /** Whether the bytes at this address never change. */
  readonly isImmutable: boolean;
  readonly isPreview: boolean;
  /** Whether navigations and other requests get different responses at this address. */
  readonly variesByNavigation: boolean;
  /** Whether the response is for one visitor and must not be cached. */
  readonly isPersonal?: boolean;
  /** Header fields that the site's own rules add. */
  readonly fields: readonly Header[];
}

/** A file in one encoding, ready to be sent. */
export interface Variant {
  readonly encoding: Encoding;
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
  /** Identifies the body in the blob cache. */
  readonly key: string;
  /** Header fields of a complete response, as alternating names and values. */
  readonly headers: readonly string[];
  /** Header fields of a 304 response. */
  readonly unchanged: readonly string[];
}

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'public, max-age=0, must-revalidate';
/** Characters of a SHA-256 in base64url: 128 bits are enough to distinguish the versions of one file. */
const ETAG_LENGTH = 22;
const ETAG_SUFFIXES: Readonly<Record<Encoding, string>> = { identity: '', br: '-br', gzip: '-gz' };

/** A file at an address. Header fields are computed once, and each variant on first use. */
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
    // Sites cannot override this: previews stay out of search engines.
    const own = ['content-type', 'cache-control', ...(served.isPreview ? ['x-robots-tag'] : [])];
    this.#contentType = fields.get('content-type') ?? served.file.contentType;
    this.#common = [
      ...['X-Content-Type-Options', 'nosniff'],
      ...['Cache-Control', served.isPersonal ? 'no-store' : cacheControlOf(served, fields)],
      ...varyOf(served, this.#negotiator !== undefined),
      // The deploy id is the address of the preview, so the public live site must not disclose it.
      ...(served.isPreview ? ['X-Robots-Tag', 'noindex', 'X-Deploy-Id', served.file.deployId] : []),
      ...(served.status === 200 ? ['Accept-Ranges', 'bytes'] : []),
      ...served.fields.filter(([name]) => !own.includes(name)).flat(),
    ];
  }

  /** Characters of the header fields, for the size limit of the cache. */
  get headLength(): number {
    return this.#common.reduce((sum, { length }) => sum + length, this.#contentType.length);
  }

  /** Selects the best variant for an `Accept-Encoding` field. */
  variantFor(acceptEncoding: string | undefined): Variant {
    if (acceptEncoding === undefined) return this.variant('identity');
    return this.variant(this.#negotiator?.negotiate(expandWildcard(acceptEncoding.toLowerCase())) ?? 'identity');
  }

  variant(encoding: Encoding): Variant {
    let variant = this.#variants.get(encoding);
    if (!variant) this.#variants.set(encoding, (variant = this.#createVariant(encoding)));
    return variant;
  }

  /** Header fields of a 206 response. @param contentRange value of `Content-Range`. */
  partialContentHeaders(length: number, contentRange: string): readonly string[] {
    const { etag } = this.variant('identity');
    const own = ['ETag', etag, 'Content-Type', this.#contentType, 'Content-Length', String(length)];
    return [...this.#common, ...own, 'Content-Range', contentRange];
  }

  /** Header fields of a 416 response. */
  rangeNotSatisfiableHeaders(): readonly string[] {
    return [...this.#common, 'Content-Length', '0', 'Content-Range', `bytes */${this.file.size}`];
  }

  #createVariant(encoding: Encoding): Variant {
    const { file } = this;
    const size = { identity: file.size, br: file.brSize ?? 0, gzip: file.gzipSize ?? 0 }[encoding];
    const tag = Buffer.from(file.digest, 'hex').toString('base64url').slice(0, ETAG_LENGTH);
    const etag = `"${tag}${ETAG_SUFFIXES[encoding]}"`;
    // Only a response with status 200 can be revalidated.
    const unchanged = this.status === 200 ? [...this.#common, 'ETag', etag] : this.#common;
    const coding = encoding === 'identity' ? [] : ['Content-Encoding', encoding];
    const content = ['Content-Type', this.#contentType, 'Content-Length', String(size), ...coding];
    return { encoding, etag, size, key: `${file.blob} ${encoding}`, headers: [...unchanged, ...content], unchanged };
  }
}

/** Negotiators by the encodings of a file. Clients send few different headers, so results are cached. */
const NEGOTIATORS = new Map<string, Negotiator<Encoding>>();

function negotiatorFor({ brSize, gzipSize }: SiteFile): Negotiator<Encoding> | undefined {
  const codings = [brSize !== undefined && 'br', gzipSize !== undefined && 'gzip'].filter((each) => each !== false);
  if (codings.length === 0) return undefined;
  const known = NEGOTIATORS.get(codings.join());
  if (known) return known;
  const supportedValues: Encoding[] = [...(codings as Encoding[]), 'identity'];
  const negotiator = new Negotiator<Encoding>({ supportedValues, cache: new LRUCache<string, string>({ max: 500 }) });
  NEGOTIATORS.set(codings.join(), negotiator);
  return negotiator;
}

/**
 * The negotiator maps "*" to the first encoding even when that one is rejected by name. @param accepted in lower case.
 */
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
