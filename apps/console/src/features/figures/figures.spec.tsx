/** What the parts of a question put on a page: texts of people stay texts, however long. */
import { describe, expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { ReactNode } from 'react';
import { MarkedText } from '../../ui/marked-text.js';
import { ChosenList } from './chosen-list.js';
import { ConditionList } from './condition-list.js';
import { emptyDraft } from './condition.js';
import { FaultsAt } from './faults-at.js';
import { KpiCatalogue } from './kpi-catalogue.js';
import { emptyQuestion } from './question.js';
import { RecordGraph } from './record-graph.js';
import { schemaOf } from './schema.js';
import { kpi, purchases, record } from './testing/purchases.js';

const markup = (element: ReactNode): string => renderToStaticMarkup(element);
const hostile = '<img src=x onerror=alert(1)> \u202e"نص"';
const nothing = (): void => undefined;

const long = `${hostile}${'x'.repeat(10_000)}`;
const hostileModel = schemaOf(
  [{ ...record({ id: 'EVIL', identifier: [], attributes: [], relationships: [] }), name: long }],
  [kpi('EVIL', ['EVIL'], { name: hostile, description: long })],
  [{ id: 'EVIL', name: hostile, description: hostile }],
);

describe('hostile names', () => {
  const shown: Readonly<Record<string, ReactNode>> = {
    list: <ChosenList label="KPIs" entries={[{ id: 'a', name: long, detail: hostile }]} onRemove={nothing} />,
    drawing: <RecordGraph schema={hostileModel} selected="EVIL" onSelect={nothing} />,
    catalogue: <KpiCatalogue schema={hostileModel} question={emptyQuestion} find="" onFind={nothing} onAsk={nothing} />,
    fault: <FaultsAt text={hostile} faults={[{ in: 'query', path: '', message: hostile, position: 2 }]} />,
  };

  it.each(Object.keys(shown))('are texts in a %s', (name) => {
    const text = markup(shown[name]);
    expect(text).toContain('&lt;');
    expect(text).not.toContain('<img');
    expect(text).toContain('<bdi');
  });

  it('are found by words of theirs', () => {
    const catalogue = (find: string) =>
      markup(
        <KpiCatalogue schema={hostileModel} question={emptyQuestion} find={find} onFind={nothing} onAsk={nothing} />,
      );
    expect(catalogue('ONERROR evil')).toContain('onerror');
    expect(catalogue('nowhere')).toContain('Nothing found');
  });
});

describe('a fault in a text', () => {
  it('marks the word that begins there', () => {
    expect(markup(<MarkedText text="A = 'x'" position={2} message="write eq" lang="en" />)).toContain(
      'A <mark class="mark">=</mark> &#x27;x&#x27;</code><p class="message" lang="en"><bdi>write eq</bdi>',
    );
    expect(markup(<MarkedText text="PLANTT eq 1" position={0} message="" />)).toContain(
      '<mark class="mark">PLANTT</mark>',
    );
  });

  it('marks the end', () => {
    expect(markup(<MarkedText text="A eq" position={4} message="" />)).toContain(
      'A eq<mark class="mark">\u00a0</mark>',
    );
  });

  it('shows what is around it in a long text', () => {
    const text = `${'a '.repeat(1_000)}b ${'c '.repeat(1_000)}`;
    const shown = markup(<MarkedText text={text} position={2_000} message="" />);
    expect(shown).toMatch(/…a a .*<mark class="mark">b<\/mark> c c .*…/);
    expect(shown.length).toBeLessThan(500);
  });

  it('halves no character', () => {
    expect(markup(<MarkedText text="A 😀 B" position={2} message="" />)).toContain('>😀</mark>');
  });
});

it('a condition with a fault is open, with its text and the mark', () => {
  const faults = new Map([[0, [{ in: 'query', path: 'filterExpr', message: 'write eq', position: 12 }]]]);
  const shown = markup(
    <ConditionList
      schema={purchases}
      conditions={["ORDER.PLANT = '2010'"]}
      faults={faults}
      onChange={nothing}
      draft={emptyDraft}
      onDraft={nothing}
    />,
  );
  for (const text of ['write eq', '<mark class="mark">=</mark>', 'value="ORDER.PLANT = &#x27;2010&#x27;"'])
    expect(shown).toContain(text);
});
