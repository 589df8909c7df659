import { hash } from 'node:crypto';

/** A page that the edge sends when no file of a site matches the request. */
export interface ErrorPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly headers?: readonly string[];
}

export const UNKNOWN_HOST: ErrorPage = {
  status: 404,
  title: 'There is no site at this address',
  text: 'Check the address for a typing mistake. If you were sent here, the site may have been removed.',
};
export const NOT_FOUND: ErrorPage = {
  status: 404,
  title: 'This page does not exist',
  text: 'Check the address for a typing mistake, or start again from the first page of this site.',
};
export const BAD_REQUEST: ErrorPage = {
  status: 400,
  title: 'Invalid address',
  text: 'It contains characters that are not allowed in an address of this site.',
};
export const MISDIRECTED: ErrorPage = {
  status: 421,
  title: 'This connection belongs to another site',
  text: 'Reload the page to open a connection to this address.',
};
export const METHOD_NOT_ALLOWED: ErrorPage = {
  status: 405,
  title: 'Method not allowed',
  text: 'This address accepts only GET and HEAD requests.',
  headers: ['Allow', 'GET, HEAD'],
};
export const UNAVAILABLE: ErrorPage = {
  status: 503,
  title: 'This site is temporarily unavailable',
  text: 'Try again in a few seconds.',
  headers: ['Retry-After', '5'],
};
export const OVERLOADED: ErrorPage = {
  status: 503,
  title: 'Too many visitors at once',
  text: 'Try again in a few seconds.',
  headers: ['Retry-After', '1'],
};
export const INTERNAL_ERROR: ErrorPage = {
  status: 500,
  title: 'This site could not be shown',
  text: 'Something went wrong on our side. Try again in a moment.',
};

export const PAYLOAD_TOO_LARGE: ErrorPage = {
  status: 413,
  title: 'The request is too large',
  text: 'This app accepts up to 10 MiB in one request.',
};
/** Pages for requests that the server of an app did not answer. */
export const SERVER_FAILURES = {
  'runtime-crashed': {
    status: 502,
    title: 'This app stopped working',
    text: 'Its server ended while it handled the request. Try again in a few seconds.',
  },
  'queue-full': {
    status: 503,
    title: 'This app is busy',
    text: 'Too many requests wait for it. Try again in a few seconds.',
  },
  'start-failed': {
    status: 503,
    title: 'This app did not start',
    text: 'Try again in a few seconds.',
  },
  timeout: {
    status: 504,
    title: 'This app did not answer in time',
    text: 'Try again. If it happens again, tell the people who run the app.',
  },
} as const satisfies Record<string, ErrorPage>;
export type ServerFailure = keyof typeof SERVER_FAILURES;

/** @param name of the app. */
export function nothingDeployed(name: string): ErrorPage {
  return {
    status: 404,
    title: `Nothing is deployed to “${name}” yet`,
    text: 'The app is registered. Its site appears here with its first deploy.',
  };
}

const STYLE = [
  ':root{color-scheme:light dark;font:1rem/1.6 system-ui,sans-serif}',
  'body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f6f7f9;color:#1c2430}',
  'main{box-sizing:border-box;max-width:34rem;padding:2rem}',
  'h1{font-size:1.5rem;line-height:1.3;margin:0 0 .75rem;overflow-wrap:anywhere}',
  'p{margin:0;color:#4a5666}',
  '@media(prefers-color-scheme:dark){body{background:#12161c;color:#e8ecf1}p{color:#a9b4c2}}',
].join('');

const HEADERS = [
  'Content-Security-Policy',
  `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options',
  'nosniff',
  'X-Robots-Tag',
  'noindex',
  'Referrer-Policy',
  'no-referrer',
  'Cache-Control',
  'no-store',
];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);

/** A response that is ready to be sent. */
export interface PrecomputedResponse {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** @param wantsHtml whether to render HTML instead of plain text. */
export function renderErrorPage(
  { status, title, text, headers = [] }: ErrorPage,
  wantsHtml: boolean,
): PrecomputedResponse {
  const body = Buffer.from(wantsHtml ? html(title, text) : `${title}. ${text}\n`);
  const type = wantsHtml ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
  return {
    status,
    headers: [...HEADERS, ...headers, 'Content-Type', type, 'Content-Length', String(body.length)],
    body,
  };
}

function html(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</main>
</body>
</html>
`;
}

/** Renders a problem for programs (RFC 9457). */
export function renderProblem(
  { status, title, text, headers = [] }: ErrorPage,
  { code, requestId }: { readonly code: string; readonly requestId: string },
): PrecomputedResponse {
  const body = Buffer.from(
    JSON.stringify({ type: `urn:homeport:problem:${code}`, title, status, detail: text, code, request_id: requestId }),
  );
  const content = ['Content-Type', 'application/problem+json', 'Content-Length', String(body.length)];
  return { status, headers: [...HEADERS, ...headers, ...content], body };
}
