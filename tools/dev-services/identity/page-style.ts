import { createHash } from 'node:crypto';

const DARK = `
  color-scheme: dark;
  --page: #0a0a0a; --card: #111113; --raised: #18181b; --hover: #212125;
  --line: rgb(255 255 255 / 9%); --text: #ededed; --muted: #a1a1aa; --accent: #7aa2ff;
  --teal: #123a3a; --on-teal: #7fe3d8; --amber: #45300b; --on-amber: #fbcf7a;
  --neutral: #27272b; --on-neutral: #d4d4d8;`;

const LIGHT = `
  color-scheme: light;
  --page: #f7f7f8; --card: #ffffff; --raised: #ffffff; --hover: #f1f1f4;
  --line: rgb(0 0 0 / 12%); --text: #18181b; --muted: #55555e; --accent: #2952cc;
  --teal: #d3f2ee; --on-teal: #0b4f4a; --amber: #fdeecb; --on-amber: #6b4300;
  --neutral: #ececf0; --on-neutral: #3f3f46;`;

/** The style of all hosted pages: like the client, dark unless the system prefers light. */
export const STYLE = `
:root {${DARK}
}
@media (prefers-color-scheme: light) {
  :root {${LIGHT}
  }
}
* { box-sizing: border-box; margin: 0; }
body {
  min-height: 100vh; min-height: 100dvh; padding: 24px 16px;
  display: flex; flex-direction: column; align-items: center; justify-content: center;
  background: var(--page); color: var(--text);
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-text-size-adjust: 100%;
}
main {
  width: 100%; max-width: 400px; padding: 32px;
  background: var(--card); border: 1px solid var(--line); border-radius: 12px;
}
h1 { font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -0.01em; }
h1 + p { margin-top: 4px; }
p { color: var(--muted); overflow-wrap: anywhere; }
code { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--text); }
.brand { display: flex; align-items: center; gap: 10px; margin-bottom: 24px; font-weight: 600; }
ul { list-style: none; padding: 0; display: grid; gap: 8px; }
.choices { margin-top: 24px; }
.actions { margin-top: 16px; }
button, .button {
  display: flex; align-items: center; gap: 12px; width: 100%; min-height: 48px; padding: 8px 12px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--raised); color: inherit;
  font: inherit; font-weight: 500; text-align: left; text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { background: var(--hover); }
button:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.quiet { justify-content: center; border-color: transparent; background: none; color: var(--muted); }
.quiet:hover { color: var(--text); }
.primary { justify-content: center; border-color: var(--accent); color: var(--accent); }
.mark {
  flex: none; width: 32px; height: 32px; border-radius: 8px; display: grid; place-items: center;
  font-size: 13px; font-weight: 600; background: var(--neutral); color: var(--on-neutral);
}
.round { border-radius: 50%; }
.teal { background: var(--teal); color: var(--on-teal); }
.amber { background: var(--amber); color: var(--on-amber); }
.who { min-width: 0; display: grid; }
.who small { font-size: 13px; font-weight: 400; color: var(--muted); overflow-wrap: anywhere; }
.note { margin-top: 24px; padding-top: 16px; border-top: 1px solid var(--line); font-size: 13px; }
@media (max-width: 400px) { main { padding: 24px 20px; } }
`;

/** Submits the page's only form at once, for steps that need a POST but no decision. */
export const SUBMIT_SCRIPT = 'document.forms[0].submit()';

/**
 * Returns the Content-Security-Policy of the hosted pages. Browsers apply `form-action` also to redirects after a form,
 * so it names the origins at which a sign-in may end.
 */
export function contentSecurityPolicy(returnUris: readonly string[]): string {
  const origins = new Set(returnUris.map((uri) => new URL(uri).origin));
  return [
    `default-src 'none'`,
    `style-src '${sha256(STYLE)}'`,
    `script-src '${sha256(SUBMIT_SCRIPT)}'`,
    `img-src data:`,
    // A sign-in of the command line ends at a free port of the loopback interface.
    `form-action ${["'self'", ...origins, 'http://127.0.0.1:*'].join(' ')}`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ].join('; ');
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
