import { expect, it } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { Table } from './table.js';

it('a row may be called as a column is', () => {
  const table = (
    <Table
      label="Columns"
      columns={[{ id: 'type', title: 'Type', render: ({ id }: { readonly id: string }) => id }]}
      rows={[{ id: 'type' }, { id: 'name' }]}
      idOf={({ id }) => id}
    />
  );
  expect(renderToStaticMarkup(table)).toContain('aria-rowcount="3"');
});
