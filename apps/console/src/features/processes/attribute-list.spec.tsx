/** Values of people as markup: they stay text, and links lead to the web alone. */
import { describe, expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { AttributeValue } from './attribute-list.js';

const markup = (value: unknown, culture?: string): string =>
  renderToStaticMarkup(<AttributeValue value={value} culture={culture} />);

describe('a value on a page', () => {
  it('is text in its own direction and language', () => {
    expect(markup('<img src=x onerror=alert(1)> نص', '1031')).toBe(
      '<bdi class="block" lang="de-DE">&lt;img src=x onerror=alert(1)&gt; نص</bdi>',
    );
  });

  it('is written as the language of the page does', () => {
    expect([markup(61234.5), markup(true), markup(false), markup('2026-05-07T08:30:00Z')]).toEqual([
      ...['61,234.5', 'Yes', 'No'],
      expect.stringMatching(/^May 7, 2026, /),
    ]);
  });

  it('that is missing is said to be', () => {
    expect(markup(undefined)).toContain('No value');
  });

  it('leads to the web, and nowhere else', () => {
    const script = ['javascript', 'alert(1)'].join(':');
    const shown = markup([
      { title: 'House', url: 'https://house.example/a' },
      { title: 'Trap', url: script },
      { name: 'x'.repeat(10_000), url: 'https://house.example/b', sizeBytes: 41_337 },
    ]);
    expect(shown).toContain('<a href="https://house.example/a" target="_blank" rel="noopener noreferrer">');
    expect(shown).toContain('<bdi>Trap</bdi>');
    expect(shown).not.toContain(script);
    expect(shown).toContain('41 kB');
    expect(shown).toContain(`${'x'.repeat(200)}…</bdi>`);
  });
});
