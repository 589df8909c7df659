import { html, Html } from './html.ts';
import { STYLE, SUBMIT_SCRIPT } from './page-style.ts';
import type { IdentityProvider, Person } from './people.ts';

/** Identifies a page for automated sign-ins: `<body data-page="…">`. */
export type PageKind =
  'chooser' | 'accounts' | 'device-code' | 'device-confirm' | 'device-done' | 'sign-out' | 'signed-out' | 'problem';

export interface Problem {
  readonly title: string;
  readonly text: string;
  /** The protocol's error code and description, for developers. */
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
}

export function chooserPage(providers: readonly IdentityProvider[]): string {
  const choices = providers.map(
    (provider) =>
      html` <li>
        <button name="provider" value="${provider.id}">${mark(provider)}Continue with ${provider.label}</button>
      </li>`,
  );
  return page('chooser', {
    title: 'Sign in',
    content: html` <h1>Sign in</h1>
      <p>Choose your organization’s account.</p>
      <form method="post">
        <ul class="choices">
          ${choices}
        </ul>
        <div class="actions"><button class="quiet" name="cancel" value="yes">Cancel</button></div>
      </form>
      ${DEVELOPMENT_NOTE}`,
  });
}

export function accountsPage(provider: IdentityProvider, people: readonly Person[]): string {
  const choices = people.map(
    (person) =>
      html` <li>
        <button name="person" value="${person.id}">
          <span class="mark round" aria-hidden="true">${initials(person.name)}</span>
          <span class="who">${person.name}<small>${person.email}</small></span>
        </button>
      </li>`,
  );
  return page('accounts', {
    title: `Choose an account – ${provider.label}`,
    content: html` <div class="brand">${mark(provider)}${provider.label}</div>
      <h1>Choose an account</h1>
      <p>to continue signing in</p>
      <form method="post">
        <ul class="choices">
          ${choices}
        </ul>
        <div class="actions"><button class="quiet" name="cancel" value="yes">Back</button></div>
      </form>
      ${DEVELOPMENT_NOTE}`,
  });
}

/** @param form the library's form with the secret that proves the request came from this page. */
export function signOutPage(form: string, known: boolean): string {
  const submit = known
    ? html`<input type="hidden" form="op.logoutForm" name="logout" value="yes" />
        <div class="actions"><button class="primary" form="op.logoutForm">Continue</button></div>
        ${SUBMIT_ELEMENT}`
    : html`<div class="actions">
        <button class="primary" form="op.logoutForm" name="logout" value="yes">Sign out</button>
      </div>`;
  return page('sign-out', {
    title: 'Sign out',
    content: html` <h1>${known ? 'Signing out' : 'Sign out?'}</h1>
      <p>${known ? 'This takes a moment.' : 'You will have to choose an account the next time you sign in.'}</p>
      ${new Html(form)}${submit}`,
  });
}

export function signedOutPage(signInUrl: string | undefined): string {
  return page('signed-out', {
    title: 'Signed out',
    content: html` <h1>You are signed out</h1>
      <p>You can close this page.</p>
      ${signInLink('Sign in again', signInUrl)}`,
  });
}

export function problemPage(problem: Problem, signInUrl: string | undefined): string {
  const code = problem.code && html`<p class="note">Error <code>${problem.code}</code><br />${problem.detail}</p>`;
  return page('problem', {
    title: problem.title,
    content: html` <h1>${problem.title}</h1>
      <p>${problem.text}</p>
      ${signInLink('Go to sign-in', signInUrl)}${code}`,
  });
}

// Not part of a template: the Content-Security-Policy contains the hash of exactly these bytes.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const SUBMIT_ELEMENT = new Html(`<script>${SUBMIT_SCRIPT}</script>`);

const DEVELOPMENT_NOTE = html`<p class="note">Development sign-in: no password needed.</p>`;

export function page(kind: PageKind, { title, content }: { title: string; content: Html }): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark light" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${STYLE_ELEMENT}
      </head>
      <body data-page="${kind}">
        <main>${content}</main>
      </body>
    </html> `.text;
}

function mark(provider: IdentityProvider): Html {
  return html`<span class="mark ${provider.tint}" aria-hidden="true">${provider.monogram}</span>`;
}

function signInLink(label: string, url: string | undefined): Html | undefined {
  return url === undefined
    ? undefined
    : html`<div class="actions"><a class="button primary" href="${url}">${label}</a></div>`;
}

function initials(name: string): string {
  return name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('');
}
