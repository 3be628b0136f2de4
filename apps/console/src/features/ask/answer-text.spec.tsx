import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { AnswerText } from './answer-text.js';

const markup = (text: string): string => renderToStaticMarkup(<AnswerText text={text} />);

it('marks a number that no tool told where it stands, in words too, and says what the mark means', () => {
  const text = 'Revenue is **42**, not 17.';
  const start = text.indexOf('42');
  const marks = [{ start, end: start + 2, mark: { kind: 'unverified' } }] as const;
  const shown = renderToStaticMarkup(<AnswerText text={text} marks={marks} />);
  expect(shown).toMatch(/<strong><mark [^>]*>42<span [^>]*> \(not verified\)<\/span><\/mark><\/strong>/);
  expect(shown.match(/<mark/g)).toHaveLength(2);
  expect(shown).toContain('Not verified: no tool answered these numbers.');
  expect(markup(text)).not.toContain('<mark');
});

it('shows paragraphs, lists and tables', () => {
  const shown = markup('By **Plant**:\n\n- one\n\n1. first\n\n| Plant | Rate |\n| --- | ---: |\n| 3010 | 9.93 % |\n');
  for (const part of ['<strong>Plant</strong>', '<ul', '<ol', '<table', 'scope="col"', '<td', '9.93 %'])
    expect(shown).toContain(part);
});

it.each([
  ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['**<script>alert(1)</script>**', '<strong>&lt;script&gt;alert(1)&lt;/script&gt;</strong>'],
  ['| <b>a</b> |\n| --- |\n| <i>b</i> |', '&lt;i&gt;b&lt;/i&gt;'],
  ['```\n</pre><b>\n```', '&lt;/pre&gt;&lt;b&gt;'],
])('shows the marks of %j as text', (text, shown) => {
  expect(markup(text)).toContain(shown);
});

it('makes no link of what an agent wrote', () => {
  expect(markup('[here](javascript:alert(1)) https://evil.example')).not.toContain('<a');
});
