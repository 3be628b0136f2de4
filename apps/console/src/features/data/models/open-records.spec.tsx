import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { OpenRecords } from './open-records.js';

it('shows each record that a model leaves open as text, and nothing where there is none', () => {
  const shown = renderToStaticMarkup(<OpenRecords records={['LINE leads to <b>ORDER</b>', 'NOTE leads to LINE']} />);
  for (const text of ['2 records leave open what a policy restricts', '&lt;b&gt;ORDER', 'NOTE leads to LINE'])
    expect(shown).toContain(text);
  expect(renderToStaticMarkup(<OpenRecords records={[]} />)).toBe('');
});
