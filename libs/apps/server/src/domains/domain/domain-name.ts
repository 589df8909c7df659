import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { DomainInvalid, type DomainNameFault } from './domains.errors';

declare const parsed: unique symbol;
/** A valid host name in lower-case ASCII form, without a final dot. */
export type DomainName = string & { readonly [parsed]: true };

/** RFC 1035, section 2.3.4, without the root label. */
const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
/** Each part is a place where name servers and CAA records are looked for. */
const MAX_LABELS = 16;
/** The longest name of a record that we ask for: `_acme-challenge.` before the name. */
const LONGEST_PREFIX = '_acme-challenge.';

const CHARACTERS = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'].map(
  (script) => new RegExp(`\\p{Script=${script}}`, 'u'),
);
/** Browsers resolve a name whose last label is a number as an address (URL standard, host parsing). */
const ENDS_WITH_NUMBER = /(^|\.)(\d+|0x[0-9a-f]*)$/;
/** Latin letters of phonetic alphabets that look like common ones, small capitals included. */
const PHONETIC_LOOK_ALIKES = /[ɑɡɢɪɴʀʏʙʜʟᴀ-ᴢ]/u;
/** Letters of other alphabets that look like Latin ones. */
const LATIN_LOOK_ALIKES = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡкмтвнαορνικτυχωӕ0-9-]+$/u;

/** @throws {DomainInvalid} */
export function parseDomainName(text: string): DomainName {
  const fault = faultIn(text);
  if (fault !== undefined) throw new DomainInvalid(fault);
  return toAscii(text) as DomainName;
}

/** Whether the name is the other one or below it, at any depth. */
export function isAtOrBelow(name: string, other: string): boolean {
  return name === other || name.endsWith(`.${other}`);
}

function faultIn(text: string): DomainNameFault | undefined {
  if (isAddress(text) || ENDS_WITH_NUMBER.test(text.toLowerCase())) return 'ip-address';
  if (text.startsWith('*.')) return 'wildcard';
  if (text.includes('/') || text.includes(':') || text.includes('@')) return 'url';
  if (text.endsWith('.')) return 'final-dot';
  // Full-width and other compatible forms are typing mistakes or disguises.
  if (!CHARACTERS.test(text) || text.normalize('NFKC') !== text.normalize('NFC')) return 'characters';
  return faultInAscii(toAscii(text));
}

function faultInAscii(name: string): DomainNameFault | undefined {
  // Numbers such as 2130706433 become an address.
  if (isAddress(name)) return 'ip-address';
  if (LONGEST_PREFIX.length + name.length > MAX_NAME_LENGTH) return 'length';
  if (name === '') return 'characters';
  const labels = name.split('.');
  if (labels.length < 2) return 'single-label';
  if (labels.length > MAX_LABELS || labels.some((label) => label.length > MAX_LABEL_LENGTH)) return 'length';
  if (!labels.every((label) => LABEL.test(label))) return 'characters';
  const shown = labels.map((label) => (label.startsWith('xn--') ? domainToUnicode(label) : label));
  if (shown.some((label) => label.slice(2, 4) === '--')) return 'hyphens';
  if (!shown.every((label) => CHARACTERS.test(label))) return 'characters';
  return shown.some((label, i) => label !== labels[i] && isLookAlike(label)) ? 'look-alike' : undefined;
}

/** An invalid international name becomes the empty text. */
function toAscii(text: string): string {
  return domainToASCII(text.toLowerCase());
}

function isAddress(text: string): boolean {
  return isIP(text.replace(/^\[|\]$/g, '')) !== 0;
}

/** Whether a label mixes alphabets that share letter shapes, or can be mistaken for a common Latin one as a whole. */
function isLookAlike(label: string): boolean {
  const isMixed = SCRIPTS.filter((script) => script.test(label)).length > 1;
  return isMixed || LATIN_LOOK_ALIKES.test(label) || PHONETIC_LOOK_ALIKES.test(label);
}
