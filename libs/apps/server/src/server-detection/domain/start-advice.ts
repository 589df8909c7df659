/** Lines that Node.js writes for usual mistakes, and what to do about them. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /invalid ELF header|wrong ELF class|not a valid Win32|incompatible architecture|ERR_DLOPEN_FAILED|using the linux-\w+ runtime|Exec format error/,
    'A package with native code was installed for another system. Install the packages on Linux, or with ' +
      '"npm install --os=linux --cpu=x64", and deploy again.',
  ],
  [
    /NODE_MODULE_VERSION|was compiled against a different Node\.js version/,
    'A package with native code was built for another version of Node.js. Install the packages with Node.js 24, and deploy again.',
  ],
  [
    /Cannot find (?:package|module) '(?![./])/,
    'The upload does not have a package that the server imports. Deploy "node_modules" too, after ' +
      '"npm prune --omit=dev", or bundle the server.',
  ],
  [
    /JavaScript heap out of memory|Reached heap limit/,
    'The server needs more memory than an instance has; "homeport runtime show" names the limit. Load less at the ' +
      'start, and deploy again.',
  ],
  [
    /EROFS/,
    'The server writes into its folder, which is read-only. Write temporary files to the folder of the variable TMPDIR.',
  ],
];

/** @param log the lines of a server that did not start. @returns what to do about a usual mistake. */
export function startAdvice(log: readonly string[]): string | undefined {
  const text = log.join('\n');
  return ADVICE.find(([pattern]) => pattern.test(text))?.[1];
}
