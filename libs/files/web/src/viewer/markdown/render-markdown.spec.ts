import { describe, expect, it } from '@jest/globals';
import { renderMarkdown } from './render-markdown';

const md = (text: string): string => renderMarkdown(text, 'md').trim();
const mdx = (text: string): string => renderMarkdown(text, 'mdx').trim();

describe('renderMarkdown', () => {
  it('gives headings the same ids as GitHub', () => {
    expect(md('# One & *two*\n\n## One two\n\n## One two')).toBe(
      '<h1 id="one--two">One &amp; <em>two</em></h1>\n<h2 id="one-two">One two</h2>\n<h2 id="one-two-1">One two</h2>',
    );
    // The numbering of ids restarts with each text.
    expect(md('# Same')).toBe(md('# Same'));
  });

  it('renders alerts, footnotes, task lists, tables, plain links and strikethrough', () => {
    expect(md('> [!NOTE]\n> Text')).toContain('class="markdown-alert markdown-alert-note"');
    expect(md('A[^1]\n\n[^1]: B')).toContain('<section class="footnotes"');
    expect(md('- [x] a')).toContain('type="checkbox"');
    expect(md('|a|\n|-|\n|1|')).toContain('<table>');
    expect(md('https://a.example ~~b~~')).toBe('<p><a href="https://a.example">https://a.example</a> <del>b</del></p>');
  });

  it.each([
    ['$x^2$', '<p><code class="language-math-inline">x^2</code></p>'],
    ['a $`x<y`$ b', '<p>a <code class="language-math-inline">x&#60;y</code> b</p>'],
    ['$$\nx\n$$', '<pre><code class="language-math">x</code></pre>'],
    ['Text\n$$\nx\n$$', '<p>Text</p>\n<pre><code class="language-math">x</code></pre>'],
    ['a $$x$$ b', '<p>a <code class="language-math-display">x</code> b</p>'],
    [
      '$a_1 * b$ and $c * d_1$',
      '<p><code class="language-math-inline">a_1 * b</code> and <code class="language-math-inline">c * d_1</code></p>',
    ],
  ])('recognizes the formula %j', (text, html) => {
    expect(md(text)).toBe(html);
  });

  it.each(['It costs $5 and $6.', '$ 5 $', 'US$5', '$5 or 5$6', '`$x$`', 'a$b$c'])('finds no formula in %s', (text) => {
    expect(md(text)).not.toContain('language-math');
  });

  it('renders imports, exports and components of MDX as code', () => {
    expect(mdx('import A from "./a"\nexport const b = <i>1</i>\n\n# Title')).toBe(
      '<pre><code class="language-jsx">import A from &#34;./a&#34;\nexport const b = &#60;i&#62;1&#60;/i&#62;</code></pre>\n<h1 id="title">Title</h1>',
    );
    expect(mdx('<Chart data={[1]} />')).toContain('<pre><code class="language-jsx">&#60;Chart');
    expect(mdx('Text <Badge kind="x" /> more')).toBe(
      '<p>Text <code>&#60;Badge kind=&#34;x&#34; /&#62;</code> more</p>',
    );
    expect(mdx('```js\nimport a from "b"\n```')).toContain('class="language-js"');
    expect(mdx('important things')).toBe('<p>important things</p>');
  });
});
