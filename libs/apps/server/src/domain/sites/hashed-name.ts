/** Folders in which build tools put nothing but files named after their content. */
const HASHED_FOLDERS = /^(_next\/static|_app\/immutable)\//;

/** What build tools name after its content. Pages and documents are named by people. */
const ASSET = /\.(m?js|css|wasm|woff2?|ttf|otf|eot|png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|mp3)$/i;
const CODE = /\.(m?js|css)$/i;
/** What follows the hash and says what the file is. */
const SUFFIX = /(\.(chunk|bundle|min|module|worker|esm|umd|prod))?\.\w+$/i;
const SIDECAR_SUFFIX = /\.(map|LICENSE\.txt)$/;

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
/** Long enough to be the whole name: content addresses of 64 bits and more. */
const WHOLE_NAME = /^[0-9a-f]{16,64}$/;

/**
 * Whether a name carries a hash of its file's content, so that the file can be kept for ever. A wrong yes shows people
 * what is old for a year, and a wrong no costs a question: what could be a word, a date or a version is none.
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

/** webpack, Rspack, Parcel, Gatsby and older Angular: a letter and a digit at least, and no word or date between them. */
function isHex(token: string): boolean {
  if (!/^[0-9a-f]{8,64}$/.test(token) || !/[a-f]/.test(token) || !/\d/.test(token)) return false;
  return !/^[a-f]{3,}\d+$/.test(token) && !/^(19|20)\d{4,}[a-f]+$/.test(token);
}

/** esbuild and Angular: `main-5QK3VKWS.js`. Among images a number within letters is asked for. */
function isBase32(token: string, name: string): boolean {
  if (!/^[A-Z2-7]{8}$/.test(token) || !/[A-Z]/.test(token)) return false;
  if (/[A-Z][2-7]+[A-Z]|[2-7][A-Z]+[2-7]/.test(token)) return true;
  return CODE.test(name) && !isUpperWord(token);
}

/** `DOWNLOAD`, `CHAPTER2`: as many vowels as words have. */
function isUpperWord(token: string): boolean {
  return /^[A-Z]+$/.test(token) ? vowelsOf(token) >= 3 : /^[A-Z]+\d+$/.test(token) && vowelsOf(token) >= 2;
}

/** Vite, Rollup and newer Angular: `index-BxYz12_a.js`. Words begin with a capital and have vowels, and few fit into eight. */
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
 * Whether a name may carry such a hash, for which a wrong yes does little harm: something long stands in it. Only of what
 * pages are made of: a document that is not deployed again is taken away.
 */
export function mayBeHashed(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(SIDECAR_SUFFIX, '');
  if (!ASSET.test(name) && !/\.json$/i.test(name)) return false;
  const stem = name.replace(/\.\w+$/, '');
  const isWhole = /^\w{8,}$/.test(stem) && /[A-Z\d]/.test(stem);
  // Vite's hashes have hyphens too.
  return isWhole || HASHED_FOLDERS.test(path) || /[-._][\w-]{8}/.test(stem);
}
