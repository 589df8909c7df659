/** The part of the File Handling API used here; TypeScript's DOM library does not include it yet. */
interface LaunchQueue {
  setConsumer(consumer: (params: { readonly files: readonly FileSystemFileHandle[] }) => void): void;
}

/** The consumer is never called when the page was not opened with a file. */
const LAUNCH_TIMEOUT_MS = 2_000;

/** The file that the system opened this app with; undefined without one. */
export function launchedFile(): Promise<File | undefined> {
  const queue = (globalThis as { launchQueue?: LaunchQueue }).launchQueue;
  if (!queue) return Promise.resolve(undefined);
  const { promise, resolve, reject } = Promise.withResolvers<File | undefined>();
  queue.setConsumer(({ files }) => {
    const [first] = files;
    if (first) first.getFile().then(resolve, reject);
    else resolve(undefined);
  });
  setTimeout(() => resolve(undefined), LAUNCH_TIMEOUT_MS);
  return promise;
}
