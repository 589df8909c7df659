/** The part of the File Handling API used here; TypeScript's DOM library does not have it yet. */
interface LaunchQueue {
  setConsumer(consumer: (params: { readonly files: readonly FileSystemFileHandle[] }) => void): void;
}

/** A page that was opened in another way is never told that there is nothing. */
const LAUNCH_TIMEOUT_MS = 2_000;

/** The file this application was opened with by the system; undefined when it was opened with none. */
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
