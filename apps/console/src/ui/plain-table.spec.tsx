import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { PlainTable } from './plain-table.js';

const hostile = '<img src=x onerror=alert(1)>';

it('a plain table names its columns, and keeps foreign values texts', () => {
  const shown = renderToStaticMarkup(
    <PlainTable label="Rates" heads={['Plant', 'Rate']} rows={[[hostile, '9.93 %']]} isEnd={[false, true]} />,
  );
  for (const part of ['aria-label="Rates"', '<th scope="col"', '>Rate</bdi>', '&lt;img src=x', 'class="cell end"'])
    expect(shown).toContain(part);
  expect(shown).not.toContain('<img');
});
