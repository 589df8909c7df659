/** Names that must be rejected in every format, with the reason for each. */
export const HOSTILE_NAMES: readonly (readonly [string | Buffer, RegExp])[] = [
  ...[
    '../evil.html',
    '../../evil.html',
    'site/../../evil.html',
    'site/../evil.html',
    'a/b/../../../../etc/passwd',
    './../evil.html',
    'site/..',
    '..',
    '../',
    '../.bashrc',
    '.git/../../evil.html',
    '__MACOSX/../../evil.html',
    'a/../a/index.html',
    '..//evil.html',
    '.well-known/../../evil.html',
    `${'a/'.repeat(20)}${'../'.repeat(21)}evil.html`,
  ].map((name) => [name, /leaves the site/] as const),
  ...['/etc/passwd', '/index.html', '//server/share/x', '/', '/../x', '///x', '/proc/self/environ', './/a'].map(
    (name) => [name, /absolute path/] as const,
  ),
  ...['C:\\Windows\\win.ini', 'c:/windows/win.ini', 'Z:evil.html', 'C:', './C:/x', '\u212a:/x'].map(
    (name) => [name, /drive letter/] as const,
  ),
  ...['..\\evil.html', 'site\\index.html', 'a\\..\\..\\b', '\\\\server\\share', '\\evil.html', 'css\\', '..\\/x'].map(
    (name) => [name, /backslash/] as const,
  ),
  ...[
    'a\nb.html',
    'a\rb.html',
    'a\tb',
    '\u001b[31mred.html',
    'a\u007fb',
    'a\u0085b',
    '\u0001',
    'x\r\nSet-Cookie: a=b',
  ].map((name) => [name, /control character/] as const),
  ...[
    Buffer.from('ff2e68746d6c', 'hex'),
    Buffer.from('c02e2e2f78', 'hex'),
    Buffer.from('c0ae2f78', 'hex'),
    Buffer.from('eda0802e6a73', 'hex'),
    Buffer.from('f4908080', 'hex'),
    Buffer.from('61e4bd2e6a73', 'hex'),
    Buffer.from('612f80622f63', 'hex'),
  ].map((name) => [name, /not valid UTF-8/] as const),
  ...['a/.', 'a/./b', '././a', 'a/./'].map((name) => [name, /"\." segment/] as const),
  ...['a//b', 'a///b.html', 'a//'].map((name) => [name, /empty segment/] as const),
];

/** Names too long for the fixed header fields of the oldest formats. */
export const LONG_NAMES: readonly (readonly [string, RegExp])[] = [
  ['x'.repeat(256), /longer than 255 bytes/],
  [`a/${'ü'.repeat(128)}/index.html`, /longer than 255 bytes/],
  [`${'a/'.repeat(512)}b`, /longer than 1,024 bytes/],
  [`${'a/'.repeat(30_000)}b`, /longer than 1,024 bytes/],
  [`${'x'.repeat(250)}/`.repeat(4) + 'y'.repeat(250), /longer than 1,024 bytes/],
];

/** Names that conflict with each other. */
export const CONFLICTING_NAMES: readonly (readonly [readonly string[], RegExp])[] = [
  [['index.html', 'index.html'], /appears twice/],
  [['index.html', 'a.js', './index.html'], /appears twice/],
  [['Index.html', 'index.html'], /upper and lower case/],
  [['css/A.css', 'css/a.css'], /upper and lower case/],
  [['CSS/a.css', 'css/a.css'], /upper and lower case/],
  [['ÄRGER.html', 'ärger.html'], /upper and lower case/],
  [['\u00e9.html', 'e\u0301.html'], /appears twice/],
  [['\u00c9.html', 'e\u0301.html'], /upper and lower case/],
  [['site/a', 'site/A'], /upper and lower case/],
  [['a', 'a/b'], /file and a folder/],
  [['a/b', 'a'], /file and a folder/],
  [['A', 'a/b'], /file and a folder/],
  [['a', 'a!', 'a/b'], /file and a folder/],
  [['site/docs', 'site/docs/deep/x.html'], /file and a folder/],
  [['a', 'a/'], /file and a folder/],
  [['a/b', 'a/b/', 'c'], /file and a folder/],
];

/** Archives without a file to publish. */
export const EMPTY_ARCHIVES: readonly (readonly [readonly string[], RegExp])[] = [
  [[], /is empty/],
  [['./'], /is empty/],
  [['a/', 'b/c/'], /is empty/],
  [['__MACOSX/._index.html'], /is empty/],
  [['.DS_Store', '.env'], /is empty/],
  [['.git/config', '.git/HEAD'], /is empty/],
  [['site/.env', '__MACOSX/site/._x'], /is empty/],
];

/** Names of files that make an archive a nested one. */
export const NESTED_ARCHIVES = [
  'site.zip',
  'dist.tar',
  'dist.tgz',
  'dist.tar.gz',
  'data.gz',
  'a/b/SITE.ZIP',
  'site.7z',
];

/** Formats a name for a test title. */
export function label(name: string | Buffer): string {
  return typeof name === 'string' ? `${JSON.stringify(name.slice(0, 60))} of ${name.length}` : name.toString('hex');
}
