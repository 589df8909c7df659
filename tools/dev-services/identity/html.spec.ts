import { describe, expect, it } from '@jest/globals';
import { html, Html } from './html.ts';

describe('html', () => {
  it('escapes text for elements and quoted attributes', () => {
    const hostile = `"><script>alert('&')</script>`;
    expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>',
    );
  });

  it('inserts markup unescaped, alone or as a list, and omits undefined values', () => {
    const items = ['a', '<b>'].map((item) => html`<i>${item}</i>`);
    expect(html`${new Html('<hr>')}${items}${undefined}`.text).toBe('<hr><i>a</i><i>&lt;b&gt;</i>');
  });
});
