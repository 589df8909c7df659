import { viewUrl } from '../../tree/file-links';

const ORIGIN = 'http://same.invalid';

/**
 * Where a link of a Markdown file leads: a path of ours for relative links, the address itself for web and mail,
 * undefined for anything else. Links to a heading are left out, because headings have no names yet.
 * @param key the file the link stands in.
 */
export function markdownLink(href: string, key: string): string | undefined {
  if (href === '' || href.startsWith('#')) return undefined;
  if (!URL.canParse(href, ORIGIN + viewUrl(key))) return undefined;
  const target = new URL(href, ORIGIN + viewUrl(key));
  if (target.origin === ORIGIN) return target.pathname + target.search + target.hash;
  return ['http:', 'https:', 'mailto:'].includes(target.protocol) ? target.href : undefined;
}
