import { fits, parsePattern, type PathPattern, segmentsOf } from './path-pattern';
import { type RuleProblem, RuleProblems } from './rule-lines';

/** A header field of an answer; its name is in lower case. */
export type Header = readonly [name: string, value: string];

/** A path of `_headers` and what answers below it carry. */
export interface HeaderRule {
  readonly path: string;
  readonly headers: readonly Header[];
}

const MOST_RULES = 100;
const LINE_LENGTH = 2_000;
/** Of one answer. Browsers and what stands before an edge take little more, and an edge keeps them for every address. */
const MOST_HEADERS = 50;
const MOST_CHARACTERS = 8 * 1024;
const NO_ROOM = `An answer has ${MOST_HEADERS} headers of ${MOST_CHARACTERS.toLocaleString('en')} characters in all at most; the rest of this path is left out.`;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;

/** What the server itself says, and what would change more than the answer it is on. */
const REFUSED = new Set(
  `accept-ranges age alt-svc clear-site-data connection content-encoding content-length content-location content-range
   date etag expect host http2-settings keep-alive last-modified location proxy-authenticate proxy-connection server
   set-cookie set-cookie2 te trailer transfer-encoding upgrade vary via www-authenticate x-content-type-options
   x-deploy-id`.split(/\s+/),
);

/** What is left of an answer for headers. */
class HeaderRoom {
  #headers = 0;
  #characters = 0;

  takes([name, value]: Header): boolean {
    this.#headers += 1;
    this.#characters += name.length + value.length;
    return this.#headers <= MOST_HEADERS && this.#characters <= MOST_CHARACTERS;
  }
}

/** The rules of a `_headers` file: a path, and the headers in the lines below it. */
export function parseHeaders(text: string): {
  readonly rules: readonly HeaderRule[];
  readonly problems: readonly RuleProblem[];
} {
  const problems = new RuleProblems('_headers', LINE_LENGTH);
  const rules: { path: string; headers: Header[] }[] = [];
  /** Undefined below a path that is left out. */
  let current: Header[] | undefined;
  let hasPath = false;
  let room = new HeaderRoom();
  for (const { number, text: line } of problems.linesOf(text)) {
    if (line.startsWith('/') || /^https?:\/\//i.test(line)) {
      hasPath = true;
      room = new HeaderRoom();
      const pattern = parsePattern(line);
      current = 'fault' in pattern ? undefined : [];
      if ('fault' in pattern) problems.add(number, pattern.fault);
      else if (rules.length < MOST_RULES) rules.push({ path: line, headers: (current = []) });
      else {
        problems.add(number, `There are more than ${MOST_RULES} paths; the rest is left out.`);
        break;
      }
    } else {
      const header = hasPath ? parseHeader(line) : 'The line is below no path.';
      if (typeof header === 'string') problems.add(number, header);
      else if (!current || room.takes(header)) current?.push(header);
      else {
        problems.add(number, NO_ROOM);
        current = undefined;
      }
    }
  }
  return { rules: rules.filter(({ headers }) => headers.length > 0), problems: problems.found };
}

/** A header, or what is wrong with it. */
function parseHeader(line: string): Header | string {
  const colon = line.indexOf(':');
  if (colon < 0) return 'The line is neither a path nor "Name: value".';
  const name = line.slice(0, colon).trim().toLowerCase();
  const value = line.slice(colon + 1).trim();
  if (!TOKEN.test(name)) return 'The name has characters that no header may have.';
  if (name === 'basic-auth') return 'Passwords for pages are not supported.';
  if (REFUSED.has(name)) return `The header "${name}" is not for an app to set.`;
  if (!VALUE.test(value)) return 'The value is empty, or has characters that no header may have.';
  return [name, value];
}

function canBeSent([name, value]: Header): boolean {
  return TOKEN.test(name) && !REFUSED.has(name) && VALUE.test(value);
}

/** The rules of one deploy, ready to be asked many times. */
export class CompiledHeaders {
  readonly #rules: readonly { readonly pattern: PathPattern; readonly headers: readonly Header[] }[];

  constructor(rules: readonly HeaderRule[]) {
    this.#rules = rules.flatMap(({ path, headers }) => {
      const pattern = parsePattern(path);
      // What is kept may have been read when more was allowed.
      return 'fault' in pattern ? [] : [{ pattern, headers: headers.filter(canBeSent) }];
    });
  }

  /**
   * What the rules that fit say, several values of one name in one line, for as long as an answer has room. A media type
   * is one value: the last counts.
   * @param path as it was sent.
   */
  find(path: string): readonly Header[] {
    const segments = this.#rules.length > 0 ? segmentsOf(path) : undefined;
    if (!segments) return [];
    const found = new Map<string, string>();
    const room = new HeaderRoom();
    for (const { pattern, headers } of this.#rules) {
      if (!fits(pattern, segments)) continue;
      for (const header of headers) {
        if (!room.takes(header)) return [...found];
        const [name, value] = header;
        const before = found.get(name);
        found.set(name, before === undefined || name === 'content-type' ? value : `${before}, ${value}`);
      }
    }
    return [...found];
  }
}
