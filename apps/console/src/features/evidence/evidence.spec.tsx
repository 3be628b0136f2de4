/** What evidence puts on a page: figures with unit and scope, what is not told in words, and why an answer is another one now. */
import { describe, expect, it } from '@jest/globals';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { AnswerCard } from './answer-card.js';
import type { ModelKpis } from './model-kpis.js';
import { Replayed, type Replay } from './replayed.js';
import { policyWords } from './scope-words.js';
import { maverickEvidence as evidence } from './testing/maverick-evidence.js';

/** Without marks of direction. */
const markup = (element: ReactNode): string => renderToStaticMarkup(element).replaceAll(/[\u2066-\u2069]/g, '');
const hostile = '<img src=x onerror=alert(1)>';
const kpis: ModelKpis = new Map([['RATE', { name: 'Maverick buying', format: '.1%' }]]);
const { result } = evidence;

describe('an answer', () => {
  it('is a figure with its unit, of what it is, and what the format rounds', () => {
    const shown = markup(<AnswerCard evidence={evidence} kpis={kpis} />);
    for (const text of ['Maverick buying', '9.9%', 'LARGE; ITEM.PLANT eq &#x27;2010&#x27;', 'Exactly 9.93411%'])
      expect(shown).toContain(text);
  });

  it('of many rows is their number', () => {
    const rows = { ...evidence, result: result && { ...result, rows: 1_200, figures: undefined } };
    expect(markup(<AnswerCard evidence={rows} kpis={kpis} />)).toContain('1,200 rows');
  });

  it('is not told to who sees other rows or fields, and that is said', () => {
    const shown = markup(<AnswerCard evidence={{ ...evidence, result: undefined }} kpis={kpis} />);
    expect(shown).toContain('You see other rows or fields than the one who asked.');
    expect(shown).not.toContain('9.9');
  });

  it('is called by its id, and without a value, where the model does not have it', () => {
    const gone = { ...evidence, result: result && { ...result, figures: [{ id: hostile, value: null }] } };
    const shown = markup(<AnswerCard evidence={gone} kpis={new Map()} />);
    expect(shown).toContain('&lt;img');
    expect(shown).toContain('No value');
    expect(shown).not.toContain('<img');
  });
});

describe('the same question once more', () => {
  const show = (replay: Partial<Replay>): string =>
    markup(<Replayed replayed={{ outcome: 'changed', reasons: [], before: result, ...replay }} kpis={kpis} />);
  const now = { rows: 1, rowsDigest: 'b'.repeat(64), figures: [{ id: 'RATE', value: '0.11' }] };

  it('is the same', () => {
    const shown = show({ outcome: 'same', now: { ...now, figures: result?.figures } });
    expect(shown).toContain('Same: the answer is the same now');
    expect(shown).not.toContain('explain it');
  });

  it('is another one, with both figures and the reasons', () => {
    const changes = [{ path: `kpis.${hostile}`, change: 'changed', breaks: false } as const];
    const shown = show({
      now,
      reasons: [
        { kind: 'data', table: 'po_item', before: '7', now: '8' },
        { kind: 'data', table: 'elsewhere' },
        { kind: 'model', before: 3, now: 4, changes },
        { kind: 'rights', before: ['rows of ITEM'], now: [] },
      ],
    });
    for (const text of [
      ...['Changed: the answer is another one now.', '9.93411%', '11%', 'aaaaaaaaaaaa…', 'bbbbbbbbbbbb…'],
      ...['Table po_item: version 7 then, 8 now.', 'Table elsewhere may have changed', 'version 3 then, 4 now'],
      ...['kpis.&lt;img', 'Policies then: Rows of ITEM', 'Policies for you: none'],
    ])
      expect(shown).toContain(text);
    expect(shown).not.toContain('<img');
  });

  it('tells neither answer, nor whether they are the same, to who may not know the first', () => {
    const reasons: Replay['reasons'] = [{ kind: 'data', table: 'po_item', before: '7', now: '8' }];
    const shown = show({ outcome: undefined, before: undefined, reasons });
    expect(shown).toContain('so the answers are not compared');
    expect(shown).toContain('Table po_item: version 7 then, 8 now.');
    for (const untold of ['Same:', 'Changed:', 'Then and now', '9.93']) expect(shown).not.toContain(untold);
  });

  it('that cannot be asked any more says why', () => {
    const shown = show({ failure: { code: 'KM_KPI_NOTFOUND', detail: `There is no ${hostile}.` } });
    expect(shown).toContain('cannot be asked any more');
    expect(shown).toContain('There is no &lt;img');
  });
});

it('policies are said in the language of the page', () => {
  const say = (name: string, { record }: { readonly record: string }) => `${name} ${record}`;
  expect(['rows of A OF B', 'fields of C', 'other'].map((policy) => policyWords(policy, say as never))).toEqual([
    ...['policy_rows A OF B', 'policy_fields C', 'other'],
  ]);
});
