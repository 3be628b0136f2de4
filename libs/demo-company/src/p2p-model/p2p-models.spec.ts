import { describe, expect, it } from '@jest/globals';
import { checkModel, checkTable, parseKnowledgeModel, parseTable, publicationFaultsOf } from '@tessera/knowledge-model';
import { printKnowledgeModel, printTable } from '@tessera/content-model';
import { parse } from 'yaml';
import { expectedP2pFigures } from '../p2p-data/truths.js';
import { p2pTables } from '../p2p-data/tables.js';
import { p2pModels } from './p2p-models.js';
import { createP2pTableDefinitions } from './p2p-table-definitions.js';

const companies = ['meridian', 'northgate'] as const;

describe('the knowledge models of the demo', () => {
  it.each(companies)('of %s are valid', (company) => {
    const definitions = new Map(p2pModels[company].map((model) => [model.id, model]));
    for (const model of p2pModels[company]) {
      expect(publicationFaultsOf(checkModel(model, definitions))).toEqual([]);
    }
  });

  it.each(companies)('of %s survive printing and parsing', (company) => {
    for (const model of p2pModels[company])
      expect(parseKnowledgeModel(parse(printKnowledgeModel(model)))).toEqual({ ok: true, value: model });
  });

  it('have a typed KPI for every expected figure', () => {
    const [base] = p2pModels.meridian;
    const checked = base && checkModel(base, new Map());
    const typed = checked?.ok ? [...checked.formulas.kpis.keys()] : [];
    expect(typed).toEqual(expect.arrayContaining(Object.keys(expectedP2pFigures.tiny.kpis)));
    expect(typed).toEqual(base?.kpis?.map(({ id }) => id));
  });

  it('have German names for everything named in the base model', () => {
    const [base, german] = p2pModels.meridian;
    const fieldsOf = (model: typeof base) =>
      model?.records?.map((record) => [
        record.id,
        ...[record.attributes, record.augmentedAttributes, record.flags].map((list) => list?.map(({ id }) => id)),
      ]);
    expect(fieldsOf(german)).toEqual(fieldsOf(base));
    const ids = (entries: readonly { readonly id: string }[] | undefined) => entries?.map(({ id }) => id) ?? [];
    expect(ids(german?.kpis)).toEqual(expect.arrayContaining(ids(base?.kpis)));
    expect(ids(german?.filters)).toEqual(expect.arrayContaining(ids(base?.filters)));
  });
});

describe('the synonyms of the demo', () => {
  const [base, german] = p2pModels.meridian;
  const wordsOf = (model: typeof base, id: string): readonly string[] => {
    const fields = (model?.records ?? []).flatMap((record) => [
      { ...record, id: record.id },
      ...[record.attributes, record.augmentedAttributes, record.flags].flatMap((list) =>
        (list ?? []).map((field) => ({ ...field, id: `${record.id}.${field.id}` })),
      ),
    ]);
    const entry = [...fields, ...(model?.kpis ?? []), ...(model?.filters ?? [])].find((one) => one.id === id);
    return entry?.synonyms ?? [];
  };

  it.each([
    ['SUPPLIER', ['Lieferant', 'vendor', 'Kreditor']],
    ['PURCHASE_ORDER', ['Bestellung', 'PO']],
    ['GOODS_RECEIPT', ['Wareneingang', 'delivery']],
    ['INVOICE', ['Rechnung', 'Eingangsrechnung']],
    ['INVOICE.SUPPLIER_NO', ['Lieferant', 'Kreditorennummer']],
    ['PO_ITEM.PLANT', ['Werk', 'site', 'Standort']],
    ['SUPPLIER.NET_DAYS', ['Zahlungsziel', 'Zahlungsfrist']],
    ['PAYMENT.DISCOUNT_LOST', ['Entgangenes Skonto', 'Skontoverlust']],
    ['LOST_DISCOUNT', ['Entgangenes Skonto', 'Skontoverlust']],
    ['MAVERICK_RATE', ['Einkauf ohne Anforderung', 'Maverick-Quote']],
    ['CYCLE_TIME_DAYS', ['Durchlaufzeit', 'throughput time']],
    ['ON_TIME_PAYMENT_RATE', ['pünktliche Zahlungen', 'Pünktlichkeitsquote']],
    ['LATE_PAYMENT_RATE', ['verspätete Zahlungen', 'Zahlungsverzug']],
    ['ORDER_VALUE', ['spend', 'Ausgaben']],
    ['BLOCKED_INVOICES', ['Gesperrte Rechnungen', 'Zahlungssperre']],
  ])('of %s include %j', (id, words) => {
    expect(wordsOf(base, id)).toEqual(expect.arrayContaining(words));
  });

  it('exist for every record, KPI and filter, with the English names in the German model', () => {
    const all = [...(base?.records ?? []), ...(base?.kpis ?? []), ...(base?.filters ?? [])];
    expect(all.filter(({ synonyms = [] }) => synonyms.length < 2).map(({ id }) => id)).toEqual([]);
    expect(wordsOf(german, 'LOST_DISCOUNT')).toEqual(expect.arrayContaining(['Lost discount', 'Skontoverlust']));
    expect(wordsOf(german, 'SUPPLIER.NET_DAYS')).toContain('Days to pay');
  });

  it('repeat neither the name nor another synonym', () => {
    for (const { name, synonyms = [] } of [...(base?.records ?? []), ...(base?.kpis ?? [])]) {
      expect(synonyms).not.toContain(name);
      expect(new Set(synonyms).size).toBe(synonyms.length);
    }
  });
});

describe('the table definitions of the demo', () => {
  it('are valid and survive printing and parsing', () => {
    for (const table of createP2pTableDefinitions()) {
      expect(checkTable(table)).toEqual([]);
      expect(parseTable(parse(printTable(table)))).toEqual({ ok: true, value: table });
    }
  });

  it('have the same columns as the files', () => {
    expect(createP2pTableDefinitions().map(({ id, columns }) => [id, columns.map((column) => column.id)])).toEqual(
      p2pTables.map(({ name, columns }) => [name, columns.map((column) => column.name)]),
    );
  });
});
