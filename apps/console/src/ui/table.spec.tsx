import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { TableGrid } from './table-grid.js';

it('a row may be called as a column is', () => {
  const items = ['type', 'name'].map((id) => ({ id, cellOf: () => id }));
  const table = <TableGrid label="Columns" columns={[{ id: 'type', title: 'Type' }]} items={items} />;
  expect(renderToStaticMarkup(table)).toContain('aria-rowcount="3"');
});
