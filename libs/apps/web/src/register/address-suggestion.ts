import { subdomainFrom } from '@homeport/apps/contracts';

/** Letters that are written with two letters, or that Unicode does not decompose. */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss', ẞ: 'SS' },
  ...{ æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i', þ: 'th', Þ: 'Th' },
};

/** Writes a text with the letters a to z where that is customary: "Käse" becomes "Kaese", "Café" becomes "Cafe". */
export function transliterate(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[^\x20-\x7e]/gu, (letter) => TRANSLITERATIONS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
}

/** @returns the most similar address that a name can have; undefined when no similar one is valid. */
export function addressSuggestion(name: string, reserved: readonly string[]): string | undefined {
  const similar = transliterate(name)
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim();
  const { subdomain, fault } = subdomainFrom(similar, reserved);
  return fault === undefined ? subdomain : undefined;
}
