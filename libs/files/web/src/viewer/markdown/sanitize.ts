import DOMPurify, { type Config } from 'dompurify';

/** Holds the URL of a picture that is not embedded, so that the browser loads nothing before the URL is resolved. */
export const DEFERRED_SRC_ATTRIBUTE = 'data-picture';
/** Prefix of the ids and names in a file, so that they cannot collide with those of the page. */
export const NAME_PREFIX = 'user-content-';

/** Pictures that are embedded in the text; all others would be loaded from a URL. */
const INLINE_PICTURE = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i;

const RULES: Config & { RETURN_TRUSTED_TYPE: true } = {
  RETURN_TRUSTED_TYPE: true,
  // The tags that GitHub allows, without those that could load, send, or imitate a part of this page.
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

/** Classes for code languages, alerts and footnotes; with other classes, a file could imitate parts of the page. */
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
  // The only allowed inputs are the checkboxes of task lists.
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
  // The source of the formula, which is not part of the drawing.
  ADD_FORBID_CONTENTS: ['annotation'],
  FORBID_ATTR: ['href', 'style', 'id', 'class'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
};

/** Removes everything active from a formula in MathML. Returns a `TrustedHTML`. */
export function sanitizeFormula(mathml: string): string {
  return DOMPurify.sanitize(mathml, FORMULA_RULES) as unknown as string;
}

/** Removes everything from rendered Markdown that executes, loads, or imitates the page. Returns a `TrustedHTML`. */
export function sanitizeMarkdown(html: string): string {
  // TypeScript types `innerHTML` as a string, but Trusted Types require this object.
  return DOMPurify.sanitize(html, RULES) as unknown as string;
}
