import type { MarkedExtension } from 'marked';
import { escapeHtml } from './escape-html';

const MODULE_LINES = /^(?:import|export)\b[^\n]*(?:\n[^\n]+)*(?:\n|$)/;
const COMPONENT_BLOCK = /^<\/?(?:[A-Z][\w.]*|>)[^\n]*(?:\n[^\n]+)*(?:\n|$)/;
const COMPONENT = /^<\/?(?:[A-Z][\w.]*(?:\s(?:[^<>{}]|\{[^{}]*\})*)?\/?)?>/;

/**
 * Shows the additions of MDX (imports, exports and components) as code. They are not executed here, so they cannot be
 * rendered.
 */
export const mdxSyntax: MarkedExtension = {
  extensions: [
    {
      name: 'mdx-block',
      level: 'block',
      start: (source) => /\n(?:(?:import|export)\b|<\/?(?:[A-Z]|>))/.exec(source)?.index,
      tokenizer(source) {
        const found = MODULE_LINES.exec(source) ?? COMPONENT_BLOCK.exec(source);
        return found ? { type: 'mdx-block', raw: found[0], text: found[0].trimEnd() } : undefined;
      },
      renderer: ({ text }) => `<pre><code class="language-jsx">${escapeHtml(String(text))}</code></pre>\n`,
    },
    {
      name: 'mdx-inline',
      level: 'inline',
      start: (source) => /<\/?(?:[A-Z]|>)/.exec(source)?.index,
      tokenizer(source) {
        const found = COMPONENT.exec(source);
        return found ? { type: 'mdx-inline', raw: found[0] } : undefined;
      },
      renderer: ({ raw }) => `<code>${escapeHtml(raw)}</code>`,
    },
  ],
};
