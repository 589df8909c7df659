import DOMPurify, { type Config } from 'dompurify';

/** Where the address of a picture is kept that is not part of the text: nothing is fetched before it was looked at. */
export const DEFERRED_SRC_ATTRIBUTE = 'data-picture';
/** Footnotes and headings of a file get names of their own: they could be taken for names of the page. */
export const NAME_PREFIX = 'user-content-';

/** Pictures that are part of the text itself; all others would be fetched. */
const INLINE_PICTURE = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i;

const RULES: Config & { RETURN_TRUSTED_TYPE: true } = {
  RETURN_TRUSTED_TYPE: true,
  // What GitHub lets through, but nothing that could fetch, send, or look like a part of this page.
  ALLOWED_TAGS: [
    ...['a', 'abbr', 'b', 'bdi', 'bdo', 'blockquote', 'br', 'caption', 'center', 'cite', 'code', 'col', 'colgroup'],
    ...['dd', 'del', 'details', 'dfn', 'div', 'dl', 'dt', 'em', 'figcaption', 'figure', 'h1', 'h2', 'h3', 'h4', 'h5'],
    ...['h6', 'hr', 'i', 'img', 'input', 'ins', 'kbd', 'li', 'mark', 'ol', 'p', 'pre', 'q', 'rp', 'rt', 'ruby', 's'],
    ...['samp', 'section', 'small', 'span', 'strike', 'strong', 'sub', 'summary', 'sup', 'table', 'tbody', 'td'],
    ...['tfoot', 'th', 'thead', 'time', 'tr', 'tt', 'u', 'ul', 'var', 'wbr'],
  ],
  ALLOWED_ATTR: [
    ...['align', 'alt', 'checked', 'class', 'colspan', 'datetime', 'dir', 'disabled', 'height', 'href', 'id', 'lang'],
    ...['name', 'open', 'reversed', 'rowspan', 'scope', 'span', 'src', 'start', 'title', 'type', 'valign', 'width'],
  ],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  SANITIZE_NAMED_PROPS: true,
};

/** The language of a code block, alerts and footnotes; other classes of ours would let a file dress up as the page. */
const ALLOWED_CLASSES = /^(language-[\w+#.-]+|footnotes|markdown-alert-title|markdown-alert markdown-alert-[a-z]+)$/;

DOMPurify.addHook('uponSanitizeAttribute', (node, attribute) => {
  if (attribute.attrName === 'class') attribute.keepAttr = ALLOWED_CLASSES.test(attribute.attrValue);
  if (attribute.attrName !== 'src') return;
  attribute.keepAttr = INLINE_PICTURE.test(attribute.attrValue);
  if (!attribute.keepAttr) node.setAttribute(DEFERRED_SRC_ATTRIBUTE, attribute.attrValue);
});

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node instanceof HTMLImageElement && !node.hasAttribute('alt')) node.alt = '';
  if (!(node instanceof HTMLInputElement)) return;
  // Task lists are the one use of inputs.
  if (node.type !== 'checkbox') {
    node.remove();
    return;
  }
  node.disabled = true;
  node.className = 'checkbox';
  node.setAttribute('aria-label', node.hasAttribute('checked') ? $localize`Done` : $localize`To do`);
});

const FORMULA_RULES: Config & { RETURN_TRUSTED_TYPE: true } = {
  RETURN_TRUSTED_TYPE: true,
  USE_PROFILES: { mathMl: true },
  // The source of the formula, which is shown in other ways.
  ADD_FORBID_CONTENTS: ['annotation'],
  FORBID_ATTR: ['href', 'style', 'id', 'class'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
};

/** A formula in MathML that does nothing but show. The result is a `TrustedHTML`. */
export function sanitizeFormula(mathml: string): string {
  return DOMPurify.sanitize(mathml, FORMULA_RULES) as unknown as string;
}

/** Rendered Markdown without anything that runs, fetches or pretends. The result is a `TrustedHTML`. */
export function sanitizeMarkdown(html: string): string {
  // TypeScript knows `innerHTML` as a string, where Trusted Types demand this object.
  return DOMPurify.sanitize(html, RULES) as unknown as string;
}
