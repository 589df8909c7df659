// Uses the built client like a builder would. Plain JavaScript, because browsers and old versions of Node.js run it as it is.

const MEBIBYTE = 2 ** 20;

/**
 * Uploads with progress, lists pages, downloads, and aborts an upload.
 * @param {any} api the module `@homeport/api-client`.
 * @param {{ baseUrl: string, token: string, folder: string }} target
 */
export async function transferFiles(api, { baseUrl, token, folder }) {
  const homeport = new api.Homeport({ baseUrl, token });
  const names = ['a b.txt', 'c#.txt', 'ü.txt', 'z.txt', 'nested/x.txt'];
  for (const name of names) await api.uploadFile(homeport, `${folder}/${name}`, `content of ${name}`);
  return {
    listed: await listed(api, homeport, `${folder}/`),
    upload: await uploadWithProgress(api, homeport, `${folder}-large/big.bin`),
    problem: await problemOf(api.downloadFile(homeport, `${folder}/absent.txt`)),
    conflict: await problemOf(api.uploadFile(homeport, `${folder}/z.txt`, 'other', { ifNoneMatch: '*' })),
    abort: await abortedUpload(api, homeport, `${folder}-large/aborted.bin`),
  };
}

async function listed(api, { client }, prefix) {
  const cursors = [];
  const items = api.allItems((cursor) => {
    cursors.push(cursor !== undefined);
    return api.operations.listFiles({ client, query: { prefix, limit: 2, ...(cursor && { cursor }) } });
  });
  const keys = [];
  for await (const { key } of items) keys.push(key.slice(prefix.length));
  return { keys, cursors };
}

async function uploadWithProgress(api, homeport, path) {
  const bytes = new Uint8Array(8 * MEBIBYTE).map((_, index) => index % 251);
  const sent = [];
  const received = [];
  await api.uploadFile(homeport, path, new Blob([bytes]), { onProgress: (...step) => sent.push(step) });
  const { body, size } = await api.downloadFile(homeport, path, { onProgress: (done) => received.push(done) });
  const copy = new Uint8Array(await new Response(body).arrayBuffer());
  return {
    size,
    isEqual: copy.length === bytes.length && copy.every((byte, index) => byte === bytes[index]),
    isRising: sent.every(([done], index) => index === 0 || done >= sent[index - 1][0]),
    last: sent.at(-1),
    lastReceived: received.at(-1),
  };
}

async function abortedUpload(api, homeport, path) {
  const abort = new AbortController();
  const size = 32 * MEBIBYTE;
  const onProgress = () => abort.abort(new Error('stopped by the person'));
  const upload = api.uploadFile(homeport, path, new Blob([new Uint8Array(size)]), { onProgress, signal: abort.signal });
  const reason = await upload.then(
    () => 'none',
    (error) => error.message,
  );
  // The last bytes may have left before the abort; a part of a file is never visible.
  const stored = await api.downloadFile(homeport, path).catch((error) => error);
  await stored.body?.cancel();
  return { reason, isWholeOrAbsent: stored.status === 404 || stored.size === size };
}

/** The fields of the problem that a call ends with. */
async function problemOf(call) {
  const { name, code, status } = await call.catch((error) => error);
  return { name, code, status };
}

/** What `transferFiles` returns on a product without faults. */
export const EXPECTED = {
  listed: {
    keys: ['a b.txt', 'c#.txt', 'nested/x.txt', 'z.txt', 'ü.txt'],
    cursors: [false, true, true],
  },
  upload: {
    size: 8 * MEBIBYTE,
    isEqual: true,
    isRising: true,
    last: [8 * MEBIBYTE, 8 * MEBIBYTE],
    lastReceived: 8 * MEBIBYTE,
  },
  problem: { name: 'ApiProblem', code: 'files.not-found', status: 404 },
  conflict: { name: 'ApiProblem', code: 'files.precondition-failed', status: 412 },
  abort: { reason: 'stopped by the person', isWholeOrAbsent: true },
};
