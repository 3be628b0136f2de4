/** Texts in XML. */
import { describe, expect, it } from '@jest/globals';
import { create } from 'xmlbuilder2';
import { escapeXmlText } from './xml-text.js';

const written = (text: string): string =>
  create().ele('a').att('b', escapeXmlText(text)).txt(escapeXmlText(text)).doc().end({ headless: true });

describe('a text in XML', () => {
  it('is escaped, so that it is neither markup nor a character reference', () => {
    expect(written('<&lt;]]>')).toBe('<a b="&lt;&amp;lt;]]&gt;">&lt;&amp;lt;]]&gt;</a>');
    expect(written('&#10;&nbsp;&')).toBe('<a b="&amp;#10;&amp;nbsp;&amp;">&amp;#10;&amp;nbsp;&amp;</a>');
    expect(written('"')).toBe('<a b="&quot;">"</a>');
  });

  it('keeps its white space and line ends', () => {
    expect(written(' \t\r\n')).toBe('<a b=" &#9;&#13;&#10;"> &#9;&#13;&#10;</a>');
  });

  it('has U+FFFD in place of characters that XML does not allow', () => {
    expect(escapeXmlText('\u0000\u0008\u000b\u000c\u001f\ufffe\uffff\ud800x\udfff')).toBe(
      '\ufffd'.repeat(8) + 'x\ufffd',
    );
    expect(escapeXmlText('\u{1f600}\u007f\u0085\ufffd')).toBe('\u{1f600}\u007f\u0085\ufffd');
  });
});
