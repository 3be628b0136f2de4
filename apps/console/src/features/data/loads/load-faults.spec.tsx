import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { fillMessage } from '../../../language/fill-message.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { faultPlace, LoadFaults, type DataSay } from './load-faults.js';

const say: DataSay = (name, ...[values]) => fillMessage('de', dataMessages.de[name], values);
const plain = (text: string): string => text.replaceAll(/[\u2066-\u2069]/g, '');

it.each([
  [{ line: 12, column: 'net_amount', message: '' }, 'Zeile 12, Spalte net_amount'],
  [{ line: 1_234, message: '' }, 'Zeile 1.234'],
  [{ column: 'net_amount', message: '' }, 'Spalte net_amount'],
  [{ message: '' }, ''],
])('the place of %j is %j', (fault, expected) => {
  expect(plain(faultPlace(fault, say))).toBe(expected);
});

it('faults stand with their line, which can be mended, and texts stay texts', () => {
  const shown = plain(
    renderToStaticMarkup(
      <LoadFaults
        faults={[
          { line: 3, column: 'b', message: '"<img src=x>" is not a number' },
          { message: 'a key is there twice' },
        ]}
        lines={new Map([[3, '1;<img src=x>']])}
        isPartial
        onMend={() => undefined}
      />,
    ),
  );
  for (const text of ['2 values do not fit', 'Line 3, column b', 'is not a number', 'value="1;&lt;img src=x&gt;"'])
    expect(shown).toContain(text);
  for (const text of ['Load with these lines', 'may have more faults']) expect(shown).toContain(text);
  expect(shown).not.toContain('<img');
});

it('without lines there is nothing to mend', () => {
  const shown = renderToStaticMarkup(
    <LoadFaults
      faults={[{ message: 'a key is there twice' }]}
      lines={new Map()}
      isPartial={false}
      onMend={() => undefined}
    />,
  );
  expect(shown).toContain('a key is there twice');
  expect(shown).not.toMatch(/Load with these lines|may have more faults/);
});
