import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { checkModel } from '../check-model.js';
import { createCallerView } from '../query/caller-view.js';
import { purchaseViewFor, restrictedCaller } from '../testing/purchase-model.js';
import { selectBestHits } from './scored-hit.js';
import { getNameIndex } from './name-index.js';
import { createNameSearch } from './search-names.js';

const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'p2p',
  source: { schema: 's' },
  records: [
    {
      id: 'PO_ITEM',
      name: 'Purchase order item',
      shortDisplayName: 'Item',
      synonyms: ['Bestellposition', 'order line', 'Position eines Auftrags an Lieferanten'],
      table: 'po_item',
      identifier: ['ORDER_NO', 'ITEM_NO'],
      attributes: [
        { id: 'ORDER_NO', column: 'a', name: 'Order number', synonyms: ['Bestellnummer'] },
        { id: 'ITEM_NO', column: 'b', type: 'integer', name: 'Item number' },
        { id: 'NET_AMOUNT', column: 'c', type: 'float', name: 'Net amount', synonyms: ['Nettobetrag', 'value'] },
        { id: 'PAYMENT_TERMS', column: 'd', name: 'Payment terms', synonyms: ['Zahlungsbedingungen'] },
        { id: 'ORDER_DATE', column: 'e', type: 'date', name: 'Order date', synonyms: ['Bestelldatum'] },
        { id: 'COUNTRY', column: 'g', name: 'Country', synonyms: ['Land'] },
        { id: 'COST', column: 'f', type: 'float', name: 'Cost', synonyms: ['Köstenanteil'] },
      ],
      flags: [
        {
          id: 'MAVERICK',
          name: 'Maverick buying',
          description: 'Ordered without a requisition.',
          synonyms: ['Beschaffung ohne Anforderung', 'wilder Einkauf'],
          expression: "ORDER_NO = 'x'",
        },
      ],
    },
    {
      id: 'SUPPLIER',
      name: 'Supplier',
      synonyms: ['Lieferant', 'vendor'],
      table: 'supplier',
      identifier: ['SUPPLIER_ID'],
      attributes: [
        { id: 'SUPPLIER_ID', column: 'a', name: 'Supplier id' },
        { id: 'SUPPLIER_NAME', column: 'b', name: 'Supplier name' },
        { id: 'COUNTRY', column: 'c', name: 'Country', synonyms: ['Land'] },
        { id: 'BANK_ACCOUNT', column: 'd', name: 'Bank account' },
      ],
    },
    {
      id: 'PLANT',
      name: 'Plant',
      synonyms: ['Werk'],
      table: 'plant',
      identifier: ['PLANT_ID'],
      attributes: [
        { id: 'PLANT_ID', column: 'a' },
        { id: 'COUNTRY', column: 'c', name: 'Country', synonyms: ['Land'] },
      ],
    },
  ],
  kpis: [
    { id: 'ORDER_VALUE', name: 'Order value', expression: 'sum(PO_ITEM.NET_AMOUNT)', synonyms: ['Bestellwert'] },
    { id: 'ON_TIME_RATE', name: 'On-time delivery', expression: 'avg(1)', synonyms: ['Liefertreue', 'Pünktlichkeit'] },
  ],
  filters: [
    {
      id: 'LARGE_ORDERS',
      name: 'Large orders',
      expression: 'PO_ITEM.NET_AMOUNT gt 10',
      synonyms: ['Großbestellungen'],
    },
  ],
  policies: [{ record: 'SUPPLIER', hide: ['BANK_ACCOUNT'], unless: { scope: 'finance:read' } }],
};
const definition: KnowledgeModelDefinition = {
  ...model,
  kpis: model.kpis?.map((kpi) => (kpi.id === 'ON_TIME_RATE' ? { ...kpi, expression: 'count(PO_ITEM.*) / 2' } : kpi)),
};

const checked = checkModel(definition, new Map());
if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
const everything = createCallerView(checked, { scopes: ['finance:read'], attributes: {} });
const restricted = createCallerView(checked, { scopes: [], attributes: {} });

/** A key of one record that others have under the same name. */
const supplierNo = { id: 'SUPPLIER_NO', column: 'a', name: 'Supplier', synonyms: ['Lieferant', 'Kreditor'] };
const checkedTwice = checkModel(
  {
    ...{ kind: 'KnowledgeModel', id: 'twice', source: { schema: 's' } },
    records: [
      { id: 'INVOICE', table: 'invoice', identifier: ['NO'], attributes: [{ id: 'NO', column: 'b' }, supplierNo] },
      {
        ...{ id: 'SUPPLIER', name: 'Supplier', synonyms: ['Lieferant', 'Kreditor'], table: 'supplier' },
        ...{ identifier: ['SUPPLIER_NO'], attributes: [supplierNo] },
      },
    ],
  },
  new Map(),
);
if (!checkedTwice.ok) throw new Error(JSON.stringify(checkedTwice.faults));
const calledTwice = createCallerView(checkedTwice, { scopes: [], attributes: {} });

const found = (term: string, question = '', view = everything): readonly string[] =>
  selectBestHits(createNameSearch(view, question)(term)).map(({ id }) => id);

describe('the search for names', () => {
  it.each([
    // As it is called.
    ['net amount', 'PO_ITEM.NET_AMOUNT'],
    ['NET_AMOUNT', 'PO_ITEM.NET_AMOUNT'],
    ['PO_ITEM.NET_AMOUNT', 'PO_ITEM.NET_AMOUNT'],
    ['netAmount', 'PO_ITEM.NET_AMOUNT'],
    ['vendor name', 'SUPPLIER.SUPPLIER_NAME'],
    ['supplier country', 'SUPPLIER.COUNTRY'],
    ['country of the supplier', 'SUPPLIER.COUNTRY'],
    ['plant country', 'PLANT.COUNTRY'],
    ['terms of payment', 'PO_ITEM.PAYMENT_TERMS'],
    ['requisition', 'PO_ITEM.MAVERICK'],
    ['order value', 'ORDER_VALUE'],
    ['large orders', 'LARGE_ORDERS'],
    // Misspelt, begun, together and apart.
    ['net amuont', 'PO_ITEM.NET_AMOUNT'],
    ['nett ammount', 'PO_ITEM.NET_AMOUNT'],
    ['mavrick', 'PO_ITEM.MAVERICK'],
    ['maverik buyng', 'PO_ITEM.MAVERICK'],
    ['suplier contry', 'SUPPLIER.COUNTRY'],
    ['paymnt trems', 'PO_ITEM.PAYMENT_TERMS'],
    ['ordervalue', 'ORDER_VALUE'],
    ['on time delivry', 'ON_TIME_RATE'],
    ['pay', 'PO_ITEM.PAYMENT_TERMS'],
    ['order numbr', 'PO_ITEM.ORDER_NO'],
    // German.
    ['Bestellwert', 'ORDER_VALUE'],
    ['bestelwert', 'ORDER_VALUE'],
    ['Nettobetrag', 'PO_ITEM.NET_AMOUNT'],
    ['Netobetrag', 'PO_ITEM.NET_AMOUNT'],
    ['Lieferantenland', 'SUPPLIER.COUNTRY'],
    ['Lieferrantenland', 'SUPPLIER.COUNTRY'],
    ['Lieferant Land', 'SUPPLIER.COUNTRY'],
    ['Land des Lieferanten', 'SUPPLIER.COUNTRY'],
    ['Werksland', 'PLANT.COUNTRY'],
    ['Zahlungsbedingung', 'PO_ITEM.PAYMENT_TERMS'],
    ['Zahlungbedinungen', 'PO_ITEM.PAYMENT_TERMS'],
    ['Puenktlichkeit', 'ON_TIME_RATE'],
    ['punktlichkeit', 'ON_TIME_RATE'],
    ['PÜNKTLICHKEIT', 'ON_TIME_RATE'],
    ['Liefertreu', 'ON_TIME_RATE'],
    ['grossbestellung', 'LARGE_ORDERS'],
    ['Großbestellung', 'LARGE_ORDERS'],
    ['Kostenanteil', 'PO_ITEM.COST'],
    ['Koestenanteil', 'PO_ITEM.COST'],
    ['wilder einkauf', 'PO_ITEM.MAVERICK'],
    ['Bestelldatum', 'PO_ITEM.ORDER_DATE'],
  ])('for %p returns as the first hit %p', (term, id) => {
    expect(found(term)[0]).toBe(id);
  });

  it('finds the identifier fields of a record by the name of the record', () => {
    for (const term of ['vendor', 'Lieferant', 'suplier'])
      expect(found(term)).toEqual(expect.arrayContaining(['SUPPLIER.SUPPLIER_NAME', 'SUPPLIER.SUPPLIER_ID']));
    expect(found('Bestellposition').slice(0, 2).toSorted()).toEqual(['PO_ITEM.ITEM_NO', 'PO_ITEM.ORDER_NO']);
  });

  it('ranks fields of a record that the term names before fields of other records with the same name', () => {
    for (const term of ['supplier', 'Lieferant', 'suplier', 'Kreditor'])
      expect([term, found(term, '', calledTwice)[0]]).toEqual([term, 'SUPPLIER.SUPPLIER_NO']);
    expect(found('supplier', '', calledTwice)).toContain('INVOICE.SUPPLIER_NO');
  });

  it('orders equal scores by the other words of the question', () => {
    expect(found('country')[0]).toBe('PLANT.COUNTRY');
    expect(found('country', 'Which vendors are late, by country?')[0]).toBe('SUPPLIER.COUNTRY');
    expect(found('Land', 'Bestellwert je Werk und Land')[0]).toBe('PLANT.COUNTRY');
  });

  it('finds no hidden fields', () => {
    expect(found('bank account')[0]).toBe('SUPPLIER.BANK_ACCOUNT');
    expect(found('bank account', '', restricted)).toEqual(found('bonk eccount', '', restricted));
    expect(found('BANK_ACCOUNT', '', restricted)).toEqual([]);
  });

  it.each([' ', '%', '_', "'; drop table x; --", '🦄'.repeat(100), '\\', '(((', '\u0000', '\ud800', 'ﷺ', '...'])(
    'finds nothing for %p without failing',
    (term) => {
      expect(found(term)).toEqual([]);
    },
  );

  it('finds nothing for words that are similar to no name', () => {
    for (const term of ['weather', 'Raumschiff', 'xyzzy', 'zebra']) expect(found(term)).toEqual([]);
  });

  it('accepts a term of 200 characters without a space', () => {
    expect(found('x'.repeat(200))).toEqual([]);
    expect(found('lieferant'.repeat(22))).toBeInstanceOf(Array);
  });
});

it('the names of a model are indexed once for callers who see the same of it, whichever rows', () => {
  const [one, other] = ['1000', '2000'].map((company) =>
    purchaseViewFor({ ...restrictedCaller, attributes: { companies: [company] } }),
  );
  if (!one || !other) throw new Error('There are two views.');
  expect(one.policies).not.toEqual(other.policies);
  expect(getNameIndex(one)).toBe(getNameIndex(other));
});
