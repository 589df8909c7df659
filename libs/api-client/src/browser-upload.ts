import type { ProgressListener } from './body-source';

/** Whether this is a browser: `fetch` reports no progress there, and streams a request over HTTP/2 only. */
export function isBrowser(): boolean {
  return typeof XMLHttpRequest !== 'undefined';
}

/** Sends the request with `body`, and reports the bytes that left the browser. Rejects like `fetch`. */
export function sendByXhr(
  request: Request,
  body: Blob | Uint8Array<ArrayBuffer>,
  onProgress: ProgressListener,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    xhr.open(request.method, request.url);
    for (const [name, value] of request.headers) xhr.setRequestHeader(name, value);
    xhr.responseType = 'arraybuffer';
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    xhr.onload = () => resolve(responseOf(xhr));
    xhr.onerror = () => reject(new TypeError('the connection failed'));
    xhr.onabort = () => reject(request.signal.reason as Error);
    xhr.onloadend = () => request.signal.removeEventListener('abort', abort);
    if (request.signal.aborted) return reject(request.signal.reason as Error);
    request.signal.addEventListener('abort', abort, { once: true });
    xhr.send(body);
  });
}

function responseOf(xhr: XMLHttpRequest): Response {
  const lines = xhr.getAllResponseHeaders().trim().split(/\r?\n/);
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ');
    return [name, value.join(': ')];
  });
  const body = [204, 304].includes(xhr.status) ? null : (xhr.response as ArrayBuffer);
  return new Response(body, { status: xhr.status, statusText: xhr.statusText, headers });
}
