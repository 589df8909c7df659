import DOMPurify, { type Config } from 'dompurify';

/** Pictures that are part of the text itself; all others would be fetched. */
const INLINE_PICTURE = /^data:image\/(png|jpeg|gif|webp|avif);base64,/i;

const RULES: Config & { RETURN_TRUSTED_TYPE: true } = {
  RETURN_TRUSTED_TYPE: true,
  USE_PROFILES: { html: true },
  // What could fetch, send, or look like a part of this page.
  FORBID_TAGS: [
    'area',
    'audio',
    'button',
    'dialog',
    'form',
    'map',
    'picture',
    'select',
    'source',
    'style',
    'textarea',
    'track',
    'video',
  ],
  FORBID_ATTR: [
    'accesskey',
    'action',
    'autofocus',
    'background',
    'popover',
    'popovertarget',
    'role',
    'srcset',
    'style',
    'tabindex',
  ],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  SANITIZE_NAMED_PROPS: true,
};

DOMPurify.addHook('uponSanitizeAttribute', (_node, attribute) => {
  if (attribute.attrName === 'src') attribute.keepAttr = INLINE_PICTURE.test(attribute.attrValue);
  // Only the language of a code block: our own classes would let a file dress up as the application.
  if (attribute.attrName === 'class') attribute.keepAttr = /^language-[\w+#.-]+$/.test(attribute.attrValue);
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
  node.setAttribute('aria-label', node.hasAttribute('checked') ? 'Done' : 'To do');
});

/** Rendered Markdown without anything that runs, fetches or pretends. The result is a `TrustedHTML`. */
export function sanitizeMarkdown(html: string): string {
  // ngx-markdown declares a string and assigns it to `innerHTML`, where Trusted Types demand this object.
  return DOMPurify.sanitize(html, RULES) as unknown as string;
}
