import { expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { entityModelOf } from '../model/entity-model-of.js';
import { viewOf } from '../testing/sample-views.js';
import { payloadOf } from './payload-of.js';

type Changes = { readonly identifier?: string; readonly to?: string; readonly type?: 'string' | 'integer' };

/** Items that lead to their supplier; only what is changed about that differs. */
const definitionWith = ({ identifier = 'ID', to = 'ID', type = 'string' }: Changes): KnowledgeModelDefinition => ({
  kind: 'KnowledgeModel',
  id: 'trial',
  name: 'Trial',
  source: { schema: 's' },
  records: [
    {
      id: 'ITEM',
      table: 'item',
      identifier: ['NO'],
      attributes: [
        { id: 'NO', column: 'no', type: 'integer' },
        { id: 'SUPPLIER_ID', column: 'supplier', type },
      ],
    },
    {
      id: 'SUPPLIER',
      table: 'supplier',
      identifier: [identifier],
      attributes: [
        { id: 'ID', column: 'id', type },
        { id: 'CODE', column: 'code', type },
      ],
    },
  ],
  relationships: [{ from: 'ITEM', to: 'SUPPLIER', on: { SUPPLIER_ID: to }, cardinality: 'many-to-one' }],
});

/** An entry that shows its number and, in Atom, where its supplier is: the key of its rows, and its text. */
const itemOf = (changes: Changes) => {
  const model = entityModelOf(viewOf(definitionWith(changes)));
  const type = model.typeByRecord.get('ITEM');
  if (!type) throw new Error('There are no items.');
  const payload = payloadOf(
    {
      root: 'https://host/trial.svc/',
      model,
      type,
      shown: type.properties.filter(({ id }) => id === 'NO'),
      isSelected: true,
      expanded: [],
      places: new Map([
        ['NO', 0],
        ['SUPPLIER_ID', 1],
      ]),
      representation: { version: '4.01', contentType: '', format: { kind: 'xml' } },
      isOne: true,
    },
    new Date(0),
  );
  return { key: payload.key, text: payload.writer()(['1', '7']) };
};

it('the row key differs when the links of the same rows differ', () => {
  const all: readonly Changes[] = [{}, { identifier: 'CODE' }, { identifier: 'CODE', to: 'CODE' }, { type: 'integer' }];
  const items = all.map(itemOf);
  const [usual, coded, byCode, numbered] = items.map(({ text }) => text);
  expect(usual).toContain("SUPPLIER_entries('7')");
  expect(coded).not.toContain('SUPPLIER_entries');
  expect(byCode).toContain("SUPPLIER_entries('7')");
  expect(numbered).toContain('SUPPLIER_entries(7)');
  expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
  expect(itemOf({}).key).toBe(items[0]?.key);
});
