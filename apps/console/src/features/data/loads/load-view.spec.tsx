import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { CallError } from '../../../api/failures.js';
import { LoadStateView } from './load-view.js';
import { Orphans } from './orphans.js';

const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '');
const refused = (code: string): CallError =>
  new CallError({ ...{ kind: 'refused', status: 409, code, title: code, detail: 'Nothing was changed.' }, faults: [] });
const nothing = (): void => undefined;
const viewOf = (error: unknown): string =>
  renderToStaticMarkup(
    <LoadStateView
      view={{ kind: 'failed', error }}
      table={{ schema: 'p2p', id: 'item' }}
      fileBytes={10}
      {...{ onCancel: nothing, onMend: nothing, onRetry: nothing, onShrink: nothing }}
    />,
  );

it('a load of too few rows can be done all the same, and no other that failed', () => {
  expect(viewOf(refused('LOAD_TOO_FEW_ROWS'))).toContain('Load all the same, with fewer rows');
  expect(viewOf(refused('GENERAL_CONFLICT'))).not.toContain('Load all the same');
});

it('references that lead nowhere are counted, with the first values as texts', () => {
  const found = {
    from: 'item',
    columns: ['plant', 'no'],
    to: 'purchase',
    rows: 3,
    values: [
      ['A', '<b>'],
      ['B', '2'],
    ],
  };
  const shown = plain(renderToStaticMarkup(<Orphans orphans={[found]} />));
  for (const text of ['3 rows of item lead to no purchase, by plant, no:', 'A &lt;b&gt;, B 2'])
    expect(shown).toContain(text);
  expect(renderToStaticMarkup(<Orphans orphans={[]} />)).toBe('');
});
