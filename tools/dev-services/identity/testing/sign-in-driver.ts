import { PEOPLE } from '../people.ts';
import { CookieJar } from './cookie-jar.ts';

export interface SignInChoice {
  /** Id or label on the chooser; by default the provider of the person. */
  readonly provider?: string;
  /** Id, name or email address on the account page. */
  readonly person: string;
}

export interface SignInDriverOptions {
  /** Initial cookies; updated in place. */
  readonly jar?: CookieJar;
  /** Stops before a request to a URL with this prefix, for a client that is not running. */
  readonly stopBefore?: string;
  /** Clicks Cancel or Back on the first such page. */
  readonly cancelAt?: 'chooser' | 'accounts' | 'device-confirm';
}

export interface SignInOutcome {
  /** The last URL: the one that was read, or the one before which the driver stopped. */
  readonly finalUrl: string;
  /** 0 when the last URL was not requested. */
  readonly status: number;
  readonly body: string;
  /** The visited hosted pages, in order. */
  readonly pages: readonly string[];
  /** The browser's cookies: `jar.header(url)` returns the header for `url`. */
  readonly jar: CookieJar;
}

interface Form {
  readonly action: string;
  readonly fields: URLSearchParams;
}

interface Page {
  readonly url: string;
  readonly kind: string;
  readonly body: string;
}

const MAX_STEPS = 30;

/**
 * Acts like a browser and a person from `startUrl` to the first page that is not part of the sign-in: follows
 * redirects, keeps cookies, chooses provider and account.
 * @throws when a hosted page reports a problem, or does not offer the provider or person.
 */
export async function completeSignIn(
  startUrl: string,
  choose: SignInChoice,
  options: SignInDriverOptions = {},
): Promise<SignInOutcome> {
  const { jar = new CookieJar(), stopBefore } = options;
  const pages: string[] = [];
  let url = startUrl;
  let form: URLSearchParams | undefined;
  let cancelAt = options.cancelAt;

  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (stopBefore !== undefined && url.startsWith(stopBefore)) {
      return { finalUrl: url, status: 0, body: '', pages, jar };
    }
    const response = await visit(url, jar, form);
    const body = await response.text();
    form = undefined;
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      url = new URL(location, url).href;
      continue;
    }
    const kind = kindOf(body);
    if (kind) pages.push(kind);
    const next = kind && nextForm({ url, kind, body }, choose, cancelAt);
    if (!next) return { finalUrl: url, status: response.status, body, pages, jar };
    if (kind === cancelAt) cancelAt = undefined;
    ({ action: url, fields: form } = next);
  }
  throw new Error(`no end after ${MAX_STEPS} steps, last at ${url}`);
}

/** Sends one request like a browser with these cookies: a GET, or a form by POST. Does not follow redirects. */
export async function visit(url: string, jar: CookieJar, form?: URLSearchParams): Promise<Response> {
  const cookie = jar.header(url);
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { accept: 'text/html', ...(cookie ? { cookie } : {}) },
    ...(form ? { method: 'POST', body: form } : {}),
  });
  jar.store(url, response.headers.getSetCookie());
  return response;
}

function kindOf(body: string): string | undefined {
  const hosted = /<body\s+data-page="([\w-]+)"/.exec(body)?.[1];
  // The library's own page for steps without a decision has no `data-page`.
  return hosted ?? (body.includes('<title>Submitting Callback</title>') ? 'automatic' : undefined);
}

function nextForm(page: Page, choose: SignInChoice, cancelAt: SignInDriverOptions['cancelAt']): Form | undefined {
  if (page.kind === 'problem') throw new Error(`sign-in stopped at ${page.url}: ${headingOf(page.body)}`);
  if (page.kind === 'sign-out' || page.kind === 'automatic') return hiddenForm(page);
  if (page.kind === 'device-confirm') return deviceForm(page, page.kind === cancelAt);
  if (page.kind !== 'chooser' && page.kind !== 'accounts') return undefined;
  if (page.kind === cancelAt) return { action: page.url, fields: new URLSearchParams({ cancel: 'yes' }) };
  return clickButton(page, page.kind === 'chooser' ? (choose.provider ?? providerOf(choose.person)) : choose.person);
}

function clickButton(page: Page, wanted: string): Form {
  for (const [, name = '', value = '', label = ''] of page.body.matchAll(
    /<button\s+name="(\w+)"\s+value="([^"]*)"[^>]*>(.*?)<\/button>/gs,
  )) {
    if (value === wanted || label.includes(wanted)) {
      return { action: page.url, fields: new URLSearchParams({ [name]: value }) };
    }
  }
  throw new Error(`there is no "${wanted}" to choose at ${page.url}`);
}

function hiddenForm(page: Page): Form {
  const action = /<form[^>]*\saction="([^"]+)"/.exec(page.body)?.[1];
  if (!action) throw new Error(`there is no form to send at ${page.url}`);
  const fields = new URLSearchParams({ logout: 'yes' });
  for (const [input] of page.body.matchAll(/<input\s+type="hidden"[^>]*>/g)) {
    const name = /\sname="([^"]*)"/.exec(input)?.[1];
    if (name) fields.set(name, /\svalue="([^"]*)"/.exec(input)?.[1] ?? '');
  }
  return { action: new URL(action, page.url).href, fields };
}

function deviceForm(page: Page, isCancelled: boolean): Form {
  const form = hiddenForm(page);
  if (isCancelled) form.fields.set('abort', 'yes');
  return form;
}

function providerOf(person: string): string {
  const known = PEOPLE.find(({ id, name, email, sub }) => [id, name, email, sub].includes(person));
  if (!known) throw new Error(`${person} is not one of the people who can sign in`);
  return known.provider;
}

function headingOf(body: string): string {
  return /<h1>(.*?)<\/h1>/s.exec(body)?.[1]?.trim() ?? 'no heading';
}
