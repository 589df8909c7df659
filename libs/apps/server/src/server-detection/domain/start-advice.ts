const MORE_MEMORY =
  'The server needs more memory than an instance has; "homeport runtime show" names the limit. Load less at the start, ' +
  'and deploy again.';

/** Lines that Node.js writes for usual mistakes, and what to do about them. */
const BY_LOG: readonly (readonly [RegExp, string])[] = [
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
  [/JavaScript heap out of memory|Reached heap limit/, MORE_MEMORY],
  [
    /EROFS/,
    'The server writes into its folder, which is read-only. Write temporary files to the folder of the variable TMPDIR.',
  ],
];

/** Reasons of the runtime that alone do not say what to do. */
const BY_REASON: readonly (readonly [RegExp, string])[] = [
  [/memory limit/, MORE_MEMORY],
  [/did not listen/, 'Listen for HTTP on the port in the variable PORT, before the server connects to other services.'],
  [
    /exit code 0\.$/,
    'The server ended before it listened. Deploy the file that listens for HTTP on the port in the variable PORT.',
  ],
  [
    /no response arrived/,
    'Often it waits for a service that it does not reach: servers reach public addresses with HTTP and HTTPS.',
  ],
  [/status 5\d\d\.$/, 'The log says why: often a variable of the app is missing.'],
];

/**
 * @param reason why the start failed, as the runtime reports it.
 * @param log the lines of the server.
 * @returns what to do about a usual mistake.
 */
export function startAdvice(reason: string, log: readonly string[]): string | undefined {
  const text = log.join('\n');
  const found = BY_LOG.find(([pattern]) => pattern.test(text)) ?? BY_REASON.find(([pattern]) => pattern.test(reason));
  return found?.[1];
}
