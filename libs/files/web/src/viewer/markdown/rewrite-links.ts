import { viewUrl } from '../../tree/file-links';
import { iconElement, element } from './elements';
import { resolveMarkdownLink } from './markdown-link';
import { NAME_PREFIX } from './sanitize';

/** A heading as the table of contents lists it. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly fragment: string;
}

/** Rewrites the links of a file to their targets; links without a valid target become plain text. */
export function rewriteLinks(root: HTMLElement, key: string): void {
  for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const href = link.getAttribute('href') ?? '';
    const target = resolveMarkdownLink(href, key);
    link.removeAttribute('target');
    if (!target) {
      link.removeAttribute('href');
      continue;
    }
    if (target.kind !== 'part') link.href = target.address;
    // Because of the base URL, "#part" alone would link to the start page.
    else link.href = fragmentUrl(key, target.fragment);
    if (target.kind === 'elsewhere') {
      link.rel = 'noopener noreferrer';
      link.target = '_blank';
    }
    if (href.startsWith('#footnote-ref-')) link.setAttribute('aria-label', $localize`Back to the text`);
    else if (href.startsWith('#footnote-'))
      link.setAttribute('aria-label', $localize`Footnote ${link.textContent}:number:`);
  }
}

/** The URL of a fragment of a file. */
export function fragmentUrl(key: string, fragment: string): string {
  return `${viewUrl(key)}#${encodeURIComponent(fragment)}`;
}

/** Adds a link to each heading. @returns the headings for the table of contents. */
export function addHeadingAnchors(root: HTMLElement, key: string): readonly Heading[] {
  const found: Heading[] = [];
  for (const heading of root.querySelectorAll<HTMLElement>('h1[id], h2[id], h3[id], h4[id], h5[id], h6[id]')) {
    const fragment = heading.id.slice(NAME_PREFIX.length);
    if (!heading.id.startsWith(NAME_PREFIX) || heading.closest('.footnotes')) continue;
    const text = heading.textContent.trim();
    const link = element('a', 'anchor', iconElement('link'));
    link.href = fragmentUrl(key, fragment);
    link.setAttribute('aria-label', $localize`Link to “${text}:heading:”`);
    heading.append(link);
    found.push({ level: Number(heading.tagName.slice(1)), text, fragment });
  }
  return found;
}

/** Finds the element of a URL fragment. */
export function fragmentTarget(root: HTMLElement, fragment: string): HTMLElement | undefined {
  const names = [fragment, fragment.toLowerCase(), encodeURIComponent(fragment)].map((name) => NAME_PREFIX + name);
  for (const name of names) {
    const found = root.querySelector<HTMLElement>(`[id="${CSS.escape(name)}"], a[name="${CSS.escape(name)}"]`);
    if (found) return found;
  }
  return undefined;
}

/** Scrolls an element to the top and focuses it; opens the `details` elements around it. */
export function reveal(part: HTMLElement): void {
  for (let each = part.closest('details'); each; each = each.parentElement?.closest('details') ?? null)
    each.open = true;
  part.tabIndex = -1;
  part.scrollIntoView({ block: 'start' });
  part.focus({ preventScroll: true });
}
