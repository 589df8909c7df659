// Every Node version must be able to load this module, so it has no static imports and main.ts imports nothing else.

/** The major version of Node.js that the server programs are built for and tested on. */
const REQUIRED_MAJOR = 24;

/**
 * Ends the process with 0 on SIGTERM or SIGINT, until `stopOnSignal` takes over. Without it, a program that is process 1
 * of a container could not be stopped while it loads and starts: the kernel ignores its signals that have no handler.
 */
export function endOnSignal(): void {
  process.on('SIGTERM', endProcess);
  process.on('SIGINT', endProcess);
}

/** The handler of `endOnSignal`. */
export function endProcess(): void {
  process.exit(0);
}

/**
 * Runs a command, and exits with its code. When the reader of its output stops early, as `head` does, it completes its
 * work all the same: it has probes to remove.
 */
export async function exitAfter(command: () => Promise<number>): Promise<never> {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`The output cannot be written (${code}).\n`);
    process.exit(2);
  });
  process.exit(await command());
}

/**
 * Checks the Node.js version, then loads and runs a server program. On an older version it prints an error and exits
 * with code 1, because loading the program would fail with a SyntaxError.
 * @param run imports the program dynamically and starts it.
 */
export async function launch(run: () => Promise<void>): Promise<void> {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < REQUIRED_MAJOR) {
    process.stderr.write(
      `Homeport's servers need Node.js ${REQUIRED_MAJOR} or later; this is ${process.version}. ` +
        'Install Node.js 24, or use the container image, which includes it.\n',
    );
    process.exit(1);
  }
  const { setSourceMapsSupport } = await import('node:module');
  // Source maps for the product only: those of libraries would take 30 MiB of memory.
  setSourceMapsSupport(true, { nodeModules: false });
  await run();
}
