import fc from 'fast-check';

const SEED = 20261121;

/** Spellings of `.` and `..` that some decoder may interpret as path traversal. */
const TRAVERSALS = [
  ...[
    '..',
    '.',
    '%2e%2e',
    '%2E%2E',
    '.%2e',
    '%2e.',
    '%252e%252e',
    '%25252e',
    '..;',
    '..;x=1',
    '..%00',
    '..%0d',
    '..%20',
  ],
  ...[
    '%c0%ae%c0%ae',
    '%e0%80%ae',
    '%uff0e%uff0e',
    '\uff0e\uff0e',
    '%ef%bc%8e%ef%bc%8e',
    '...',
    '....',
    '..\\',
    '..%5c',
    '%5c..',
  ],
  ...['..%2f', '%2f..', '..%c0%af', '..%e0%80%af', '..%252f', '..%u2215', '..\u2215', '..%e2%88%95', '.%00.', '%00..'],
];
const SEPARATORS = ['/', '//', '\\', '%2f', '%2F', '%5c', '%252f', '/./', ';/', '/%20/', '%c0%af', '?/', '#/', '/..;/'];
const ENDS = [
  '',
  '/',
  'u',
  'u/',
  'etc/passwd',
  'x.md',
  '%00',
  '%0a',
  '?prefix=',
  '#',
  ' ',
  '%',
  '%2',
  '%zz',
  '%ff',
  'a%2fb',
];

/** Combinations of traversals, separators and ends, and spellings of the route. */
export const FIXED_TARGETS: readonly string[] = [
  ...TRAVERSALS.flatMap((traversal, i) =>
    SEPARATORS.map((separator, j) => `/api/files/a${separator}${traversal}/${ENDS[(i + j) % ENDS.length] as string}`),
  ),
  ...TRAVERSALS.flatMap((traversal) => [
    `/api/files/${traversal}`,
    `/api/files/${traversal}/${traversal}/x`,
    `/api/files?prefix=${traversal}/`,
  ]),
  ...ENDS.flatMap((end) => [`/api/files/${end}`, `/api/files//${end}`, `/api/%66iles/${end}`, `//api/files/${end}`]),
  ...['http://a/api/files/../x', 'http://a/api/files/x', '*', 'a:80', '/api/files/..', '/API/FILES/x', '/api/files;/x'],
  `/api/files/${'a/'.repeat(2_000)}`,
  `/api/files/${'a'.repeat(5_000)}`,
];

const pieces = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TRAVERSALS) },
  { weight: 2, arbitrary: fc.constantFrom(...SEPARATORS) },
  { weight: 1, arbitrary: fc.constantFrom(...ENDS) },
  { weight: 2, arbitrary: fc.stringMatching(/^[a-z0-9._~-]{1,8}$/) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }).map(encodedLoosely) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`) },
);
const heads = fc.constantFrom(
  '/api/files/',
  '/api/files/',
  '/api/files/',
  '/api/files?prefix=',
  '/api/files',
  '/api/',
  '/',
);

/** @returns pseudo-random targets, the same in every run. */
export function generatedTargets(amount: number): string[] {
  const target = fc.tuple(heads, fc.array(pieces, { maxLength: 8 })).map(([head, parts]) => head + parts.join(''));
  return fc.sample(target.map(onOneLine), { numRuns: amount, seed: SEED });
}

function encodedLoosely(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80';
}

/** Encodes line breaks and spaces, because they would end the target and start another request. */
function onOneLine(target: string): string {
  return target.replace(/[\r\n ]/g, '%20');
}
