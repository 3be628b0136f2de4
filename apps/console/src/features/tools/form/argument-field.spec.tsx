/** What a form puts on the page, as markup: texts of schemas stay texts, and what is wrong stands at its field. */
import { describe, expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { ArgumentField } from './argument-field.js';
import { startDraft } from './draft.js';
import { readForm } from './read-schema.js';

const markup = (schema: object, given: object = {}, faults: Readonly<Record<string, string>> = {}): string => {
  const draft = startDraft(readForm({ type: 'object', properties: { a: schema }, required: ['a'] }), given);
  const shown = renderToStaticMarkup(
    <ArgumentField
      label="Arguments"
      path={[]}
      draft={draft}
      faults={new Map(Object.entries(faults))}
      onChange={() => undefined}
    />,
  );
  return shown.replaceAll(/[\u2068\u2069]/g, '');
};

const hostile = '<img src=x onerror=alert(1)>';
const harmless = '&lt;img src=x onerror=alert(1)&gt;';

describe('a form shows', () => {
  it.each([
    [{ type: 'string', title: hostile, description: hostile }, hostile],
    [{ type: 'string', description: hostile.repeat(20) }, hostile],
    [{ description: hostile }, { text: hostile }],
    [{ type: 'array', items: { type: 'string' }, title: hostile, description: hostile }, [hostile]],
    [{ type: ['string', 'null'], title: hostile, description: hostile }, hostile],
  ])('the words of the schema and what is given as text: %j', (schema, a) => {
    const shown = markup(schema, { a });
    expect(shown).toContain(harmless);
    expect(shown).not.toContain('<img');
  });

  it('what is wrong at its field', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const shown = markup(list, { a: ['x', 'y'] }, { a: 'expected at most 1 entry', 'a.1': 'unknown name "y"' });
    expect(shown).toContain('expected at most 1 entry');
    expect(shown.match(/aria-invalid="true"/g)).toHaveLength(1);
    expect(shown).toContain('unknown name &quot;y&quot;');
  });

  it.each([
    [{ type: 'boolean' }, 'type="checkbox"'],
    [{ type: 'integer' }, 'inputMode'],
    [{ type: 'string', format: 'password' }, 'type="password"'],
    [{ type: 'string', maxLength: 4_000 }, '<textarea'],
    [{}, 'Enter JSON.'],
    [{ enum: ['x', 'y'] }, 'aria-haspopup="listbox"'],
    [{ enum: Array.from({ length: 30 }, (_, at) => `name ${at}`) }, 'role="combobox"'],
    [{ type: 'array', items: {} }, 'Add to a'],
    [{ type: 'object', properties: { b: { type: 'string' } } }, '<legend class="legend required"><bdi>a</bdi>'],
    [{ type: ['number', 'null'] }, 'a: kind'],
  ])('a field that fits %j', (schema, part) => {
    expect(markup(schema).toLowerCase()).toContain(part.toLowerCase());
  });

  it('what may be left out folded, until something of it is wrong', () => {
    const form = { type: 'object', properties: { b: { type: 'object', properties: { c: { type: 'string' } } } } };
    expect(markup(form)).toContain('<details>');
    expect(markup(form, {}, { 'a.b.c': 'is missing' })).toContain('<details open="">');
  });
});
