import { describe, expect, it } from '@jest/globals';
import { childrenOf, readXml, textOf } from './xml-reader.ts';
import { escapeXml } from './xml.ts';

describe('readXml', () => {
  it('reads elements, text, CDATA and references and ignores the rest', () => {
    const root = readXml(
      '<?xml version="1.0"?>\n<!-- note --><s3:Delete xmlns:s3="urn:x">' +
        '<Object a="1"><Key>a&lt;&#x1F600;&#233;<![CDATA[<&]]></Key></Object><Quiet/></s3:Delete>\n',
    );
    expect(root.name).toBe('Delete');
    expect(childrenOf(root, 'Object').map((object) => textOf(object, 'Key'))).toEqual(['a<😀é<&']);
    expect(textOf(root, 'Quiet')).toBe('');
    expect(textOf(root, 'Other')).toBeUndefined();
  });

  it('reads the output of escapeXml', () => {
    const text = 'a<b>&"\'\t\r\n \u0001ü😀';
    expect(readXml(`<K>${escapeXml(text)}</K>`).text).toBe(text);
  });

  it.each([
    ['nothing', ''],
    ['text only', 'hello'],
    ['two roots', '<a/><b/>'],
    ['an unclosed element', '<a><b></b>'],
    ['crossed elements', '<a><b></a></b>'],
    ['an unmatched end tag', '</a>'],
    ['text outside', '<a/>x'],
    ['a document type', '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>'],
    ['an unknown entity', '<a>&nope;</a>'],
    ['a lone surrogate', '<a>&#xD800;</a>'],
    ['a broken tag', '<a><b</a>'],
  ])('refuses %s', (_, source) => {
    expect(() => readXml(source)).toThrow(expect.objectContaining({ code: 'MalformedXML' }));
  });
});
