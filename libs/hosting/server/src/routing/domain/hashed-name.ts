/** Folders in which build tools put only files with a content hash in their names. */
const HASHED_FOLDERS = /^(_next\/static|_app\/immutable)\//;

/** File types that build tools name with a content hash. Authors choose the names of pages and documents. */
const ASSET = /\.(m?js|css|wasm|woff2?|ttf|otf|eot|png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|mp3)$/i;
const CODE = /\.(m?js|css)$/i;
/** The suffix after the hash that tells the kind of file. */
const SUFFIX = /(\.(chunk|bundle|min|module|worker|esm|umd|prod))?\.\w+$/i;
const SIDECAR_SUFFIX = /\.(map|LICENSE\.txt)$/;

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
/** Hashes that may be the whole name: 64 bits and more. */
const WHOLE_NAME = /^[0-9a-f]{16,64}$/;

/**
 * Whether a name contains a hash of its file's content, so that the file is immutable. A false positive lets browsers
 * use an outdated file for a year; a false negative costs a revalidation. Possible words, dates and versions are
 * therefore not accepted as hashes.
 */
export function isHashedName(path: string): boolean {
  if (/\.html?$/i.test(path)) return false;
  if (HASHED_FOLDERS.test(path)) return true;
  const name = path.slice(path.lastIndexOf('/') + 1).replace(SIDECAR_SUFFIX, '');
  if (!ASSET.test(name) || UUID.test(name)) return false;
  const stem = name.replace(SUFFIX, '');
  const token = /^.+[-.](\w+)$/.exec(stem)?.[1];
  if (token === undefined) return WHOLE_NAME.test(stem) && isHex(stem);
  return isHex(token) || (token.length === 8 && (isBase64(token) || (stem.at(-9) === '-' && isBase32(token, name))));
}

/** webpack, Rspack, Parcel, Gatsby and older Angular: letters and digits, but no word with a number and no date. */
function isHex(token: string): boolean {
  if (!/^[0-9a-f]{8,64}$/.test(token) || !/[a-f]/.test(token) || !/\d/.test(token)) return false;
  return !/^[a-f]{3,}\d+$/.test(token) && !/^(19|20)\d{4,}[a-f]+$/.test(token);
}

/** esbuild and Angular: `main-5QK3VKWS.js`. Names of images need a digit between letters. */
function isBase32(token: string, name: string): boolean {
  if (!/^[A-Z2-7]{8}$/.test(token) || !/[A-Z]/.test(token)) return false;
  if (/[A-Z][2-7]+[A-Z]|[2-7][A-Z]+[2-7]/.test(token)) return true;
  return CODE.test(name) && !isUpperWord(token);
}

/** `DOWNLOAD`, `CHAPTER2`: words have more vowels than hashes. */
function isUpperWord(token: string): boolean {
  return /^[A-Z]+$/.test(token) ? vowelsOf(token) >= 3 : /^[A-Z]+\d+$/.test(token) && vowelsOf(token) >= 2;
}

/** Vite, Rollup and newer Angular: `index-BxYz12_a.js`. Eight characters hold few words, which have vowels. */
function isBase64(token: string): boolean {
  if (!/[a-z]/.test(token) || !/[A-Z]/.test(token)) return false;
  const words = token.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g)?.length ?? 0;
  if (/\d/.test(token)) return words >= 4;
  return words >= 5 || (words === 4 && vowelsOf(token) <= 2);
}

function vowelsOf(token: string): number {
  return token.match(/[aeiou]/gi)?.length ?? 0;
}

/**
 * Whether a name may contain a content hash. The check is loose, because a false positive does little damage. It
 * accepts only assets of pages: a document that is missing from the next deploy was removed on purpose.
 */
export function mayBeHashed(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(SIDECAR_SUFFIX, '');
  if (!ASSET.test(name) && !/\.json$/i.test(name)) return false;
  const stem = name.replace(/\.\w+$/, '');
  const isWhole = /^\w{8,}$/.test(stem) && /[A-Z\d]/.test(stem);
  // Vite's hashes have hyphens too.
  return isWhole || HASHED_FOLDERS.test(path) || /[-._][\w-]{8}/.test(stem);
}
