import type { MarkedExtension, Tokens } from 'marked';
import { escapeHtml } from './escape-html';

interface Formula extends Tokens.Generic {
  readonly text: string;
}

const INLINE = /^\$(?![\s$`])((?:\\[\s\S]|[^\\$\n])*?(?:\\[\s\S]|[^\\$\s]))\$(?![\d\w])/;
const QUOTED = /^\$`([^`\n]+)`\$/;
const DISPLAY = /^\$\$((?:\\[\s\S]|[^\\$]|\$(?!\$))+?)\$\$/;
const BLOCK = /^ {0,3}\$\$[ \t]*\n([\s\S]+?)\n {0,3}\$\$[ \t]*(?:\n|$)/;

/** Parses formulas between dollar signs, by the rules of GitHub. They stay text here and are drawn later. */
export const mathSyntax: MarkedExtension = {
  extensions: [
    {
      name: 'formula-block',
      level: 'block',
      start: (source) => /\n {0,3}\$\$/.exec(source)?.index,
      tokenizer(source) {
        const found = BLOCK.exec(source);
        return found ? { type: 'formula-block', raw: found[0], text: found[1] ?? '' } : undefined;
      },
      renderer: (token) => `<pre><code class="language-math">${escapeHtml((token as Formula).text)}</code></pre>\n`,
    },
    {
      name: 'formula',
      level: 'inline',
      start: (source) => {
        const at = source.indexOf('$');
        return at === -1 ? undefined : at;
      },
      tokenizer(source) {
        const display = DISPLAY.exec(source);
        if (display) return { type: 'formula', raw: display[0], text: (display[1] ?? '').trim(), display: true };
        const found = QUOTED.exec(source) ?? INLINE.exec(source);
        return found ? { type: 'formula', raw: found[0], text: found[1] ?? '', display: false } : undefined;
      },
      renderer: (token) => {
        const kind = token['display'] === true ? 'language-math-display' : 'language-math-inline';
        return `<code class="${kind}">${escapeHtml((token as Formula).text)}</code>`;
      },
    },
  ],
};
