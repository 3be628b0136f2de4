import { describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { checkModel, findOpenRecords, publicationFaultsOf } from '../check-model.js';
import { purchaseDefinition } from '../testing/purchase-model.js';

type Members = Partial<KnowledgeModelDefinition>;

const faultsOf = (definition: KnowledgeModelDefinition, parent?: KnowledgeModelDefinition): readonly string[] =>
  publicationFaultsOf(checkModel(definition, new Map(parent && [[parent.id, parent]])))
    .filter(({ rule }) => rule !== 'MODEL_POLICY_MISSING')
    .map(({ path, position, message }) => `${path}${position === undefined ? '' : `:${position}`}: ${message}`);
const purchases = (members: Members): KnowledgeModelDefinition => ({
  ...purchaseDefinition,
  filters: [],
  policies: [],
  ...members,
});
const filter = (expression: string) => faultsOf(purchases({ filters: [{ id: 'F', expression }] }));
const policy = (rows: string, record = 'ORDER') => faultsOf(purchases({ policies: [{ record, rows }] }));

describe('a filter of a model', () => {
  it.each([
    ["ITEM.PLANT eq 'P1' and ORDER_VALUE gt 5 or not (length(SUPPLIER.CITY) gt 3)"],
    ['ITEM.NOTE ne null'],
    ['INVOICED_SHARE gt null'],
  ])('can be %s', (expression) => {
    expect(filter(expression)).toEqual([]);
  });

  it.each([
    ["PLANT eq 'P1'", '0: At the level of the model a field is written with its record. Did you mean ITEM.PLANT?'],
    ['AMOUNT gt 1', '0: At the level of the model a field is written with its record: ITEM.AMOUNT or INVOICE.AMOUNT.'],
    ["ITEM.PLNT eq 'P1'", '0: There is no field PLNT in ITEM. Did you mean ITEM.PLANT?'],
    ['ITEM.LATE eq true and ORDER_VALEU gt 5', '22: There is no field or KPI ORDER_VALEU. Did you mean ORDER_VALUE?'],
    ['ITEM.AMOUNT gt many', '15: ITEM.AMOUNT is a float; expected a number such as 12.5, but there is the word many.'],
    ["contains(ORDER_VALUE, 'a')", '9: ORDER_VALUE is a float; contains takes a string.'],
    ['ORDER.COMPANY eq caller.company', '17: Only row policies compare with attributes of the caller.'],
    ['ITEM.AMOUNT >', '12: Expected an operator (eq ne gt ge lt le in is); write gt for the symbol.'],
    ["ITEM.PLANT eq 'a', ITEM.PLANT eq 'b'", '17: Expected and, or or the end of the filter, but there is ",".'],
  ])('is rejected as %s', (expression, told) => {
    expect(filter(expression)).toEqual([`filters.0.expression:${told}`]);
  });

  it('returns all faults at once', () => {
    expect(filter('ITEM.PLNT eq 1 and ITEM.DUE eq 5 and LATE eq true')).toEqual([
      'filters.0.expression:0: There is no field PLNT in ITEM. Did you mean ITEM.PLANT?',
      'filters.0.expression:31: ITEM.DUE is a date; expected a date such as 2015-05-07, but there is the number 5.',
      'filters.0.expression:37: At the level of the model a field is written with its record. Did you mean ITEM.LATE?',
    ]);
  });

  it('reports no fault for a faulty formula of a field or KPI that it names', () => {
    const kpis = [{ id: 'K', expression: 'sum(' }];
    const records = purchaseDefinition.records?.map((record) =>
      record.id === 'RATE' ? { ...record, flags: [{ id: 'HIGH', expression: 'EURO > 1' }] } : record,
    );
    const told = faultsOf(
      purchases({ records, kpis, filters: [{ id: 'F', expression: 'RATE.HIGH eq true and K gt 5' }] }),
    );
    expect(told.map((text) => text.split(':')[0])).toEqual(['kpis.0.expression', 'records.4.flags.0.expression']);
  });
});

describe('the row condition of a policy', () => {
  const rule =
    'policies choose rows of ORDER by its fields and by those of records that it leads to along many-to-one relationships.';

  it.each([
    ['COMPANY in caller.companies'],
    ['ORDER.COMPANY eq caller.company or YEAR gt 2020 and not (URGENT eq true)'],
    ['YEAR ge caller.since'],
    ["SUPPLIER.CITY in caller.cities or URGENT eq true and SUPPLIER.CITY ne 'Bonn'"],
    ['all'],
  ])('can be %s', (rows) => {
    expect(policy(rows)).toEqual([]);
  });

  it.each([["SUPPLIER.CITY eq 'Bonn' and ORDER.YEAR gt 2020 and PLANT eq 'P1'"], ['ORDER.YEAR gt 2020']])(
    'can name records several steps away: %s',
    (rows) => {
      expect(policy(rows, 'ITEM')).toEqual([]);
    },
  );

  it.each([
    ['COMPANNY in caller.companies', '0: There is no field COMPANNY in ORDER. Did you mean COMPANY?'],
    ['ORDER.COMPANNY in caller.companies', '0: There is no field COMPANNY in ORDER. Did you mean COMPANY?'],
    ["SUPPLIER.CITI eq 'x'", '0: There is no field CITI in SUPPLIER. Did you mean SUPPLIER.CITY?'],
    ["CITY eq 'x'", '0: There is no field CITY in ORDER; of another record it is written SUPPLIER.CITY.'],
    ["ITEM.PLANT eq 'x'", `0: ITEM.PLANT is of ITEM, to which no many-to-one path leads from ORDER; ${rule}`],
    ['RATE.DAY eq null', `0: RATE.DAY is of RATE, to which no many-to-one path leads from ORDER; ${rule}`],
    [
      'SUPPLIER.CITY gt 5',
      "17: SUPPLIER.CITY is a string; expected a string in single quotes such as 'value', but there is the number 5. Did you mean '5'?",
    ],
    ['al', '2: Expected an operator (eq ne gt ge lt le in is), but the filter ends here. Did you mean all?'],
    [' ALL', '4: Expected an operator (eq ne gt ge lt le in is), but the filter ends here. Did you mean all?'],
    ['YEAR', '4: Expected an operator (eq ne gt ge lt le in is), but the filter ends here.'],
    [
      'COMPANY in calle.companies',
      "11: Expected a list such as ('a','b'), but there is \"calle.companies\". Did you mean caller.companies?",
    ],
    ['COMPANY in SUPPLIER.CITY', "11: Expected a list such as ('a','b'), but there is \"SUPPLIER.CITY\"."],
    ['all or YEAR gt 5', '4: Expected an operator (eq ne gt ge lt le in is), but there is "or".'],
    ["SUPLIER.CITY eq 'x'", '0: There is no record SUPLIER. Did you mean SUPPLIER.CITY?'],
    ['ORDER_VALUE gt 5', `0: ORDER_VALUE is a KPI; ${rule}`],
    ["YEAR gt 'x'", "8: YEAR is an integer; expected a number such as 12, but there is the string 'x'."],
    ['URGENT gt caller.urgent', '0: URGENT is a boolean; use eq, ne or in.'],
    ['YEAR in (2020, 2021', '19: Expected a comma or a closing parenthesis, but the filter ends here.'],
  ])('is rejected as %s', (rows, told) => {
    expect(policy(rows)).toEqual([`policies.0.rows:${told}`]);
  });

  it('is not checked for an unknown record', () => {
    expect(policy('QQQ eq 1', 'ODER')).toEqual(['policies.0.record: unknown record "ODER"; did you mean "ORDER"?']);
  });
});

describe('an unquoted word that was surely meant as a name', () => {
  const quote = (word: string) => `${word} is no name that is known here; write '${word}' for the text.`;

  it.each([
    ['COMPANY ne calle.blocked', 11, 'calle.blocked', 'caller.blocked'],
    ['COMPANY ne callers.blocked', 11, 'callers.blocked', 'caller.blocked'],
    ['COMPANY ne Caller.blocked', 11, 'Caller.blocked', 'caller.blocked'],
    ['not (COMPANY eq caler.blocked)', 16, 'caler.blocked', 'caller.blocked'],
    ['COMPANY not in (caller.a, caller.b.c)', 26, 'caller.b.c', undefined],
    ["COMPANY not in ('a', calle.blocked)", 21, 'calle.blocked', 'caller.blocked'],
    ['not contains(COMPANY, calle.part)', 22, 'calle.part', 'caller.part'],
    ['COMPANY ne caller', 11, 'caller', undefined],
    ['COMPANY ne caller_blocked', 11, 'caller_blocked', 'caller.blocked'],
    ['COMPANY ne caller/blocked', 11, 'caller/blocked', 'caller.blocked'],
    ['COMPANY ne calle-blocked', 11, 'calle-blocked', 'caller.blocked'],
    ['COMPANY ne callerblocked', 11, 'callerblocked', undefined],
    ['COMPANY ne ODER.COMPANY', 11, 'ODER.COMPANY', 'ORDER.COMPANY'],
    ['COMPANY ne SUPPLIER.CITI', 11, 'SUPPLIER.CITI', 'SUPPLIER.CITY'],
    ['COMPANY ne some.text', 11, 'some.text', undefined],
  ])('is refused in the policy %s', (rows, position, word, nearest) => {
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    expect(policy(rows)).toEqual([`policies.0.rows:${position}: ${quote(word)}${hint}`]);
  });

  it.each([
    ['COMPANY ne caller .blocked', '18: Expected and, or or the end of the filter, but there is ".blocked".'],
    ['COMPANY ne caller. blocked', '19: Expected and, or or the end of the filter, but there is "blocked".'],
  ])('is refused in the policy %s, which stands apart', (rows, told) => {
    expect(policy(rows)).toEqual([`policies.0.rows:${told}`]);
  });

  it.each([
    ['ITEM.PLANT ne ITM.PLANT', 14, 'ITM.PLANT', 'ITEM.PLANT'],
    ['ITEM.PLANT in (P1, file.txt)', 19, 'file.txt', undefined],
    ['ITEM.PLANT ne calle.plant', 14, 'calle.plant', undefined],
  ])('is refused in the filter %s', (expression, position, word, nearest) => {
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    expect(filter(expression)).toEqual([`filters.0.expression:${position}: ${quote(word)}${hint}`]);
  });

  it.each([['COMPANY eq DE'], ["COMPANY ne 'calle.blocked'"], ['YEAR gt 2020 and COMPANY in (A1, B-2, c:d)']])(
    'is none in %s',
    (rows) => {
      expect(policy(rows)).toEqual([]);
    },
  );

  it('leaves what was published before as it is, and is told of it', () => {
    const definition = purchases({ policies: [{ record: 'ORDER', rows: 'COMPANY ne calle.blocked' }] });
    expect(checkModel(definition, new Map()).ok).toBe(true);
    expect(findOpenRecords(definition, new Map()).map(({ path }) => path)).toContain('policies.0.rows');
  });
});

describe('a model that extends another', () => {
  const child = (members: Members) =>
    faultsOf({ kind: 'KnowledgeModel', id: 'child', extends: purchaseDefinition.id, ...members }, purchaseDefinition);

  it('lists inherited relationships, filters and policies that no longer fit', () => {
    const attributes = [
      { id: 'PLANT', type: 'integer' as const },
      { id: 'ORDER_NO', type: 'integer' as const },
    ];
    expect(child({ records: [{ id: 'ITEM', attributes }] })).toEqual([
      'extends: the inherited relationship of ITEM and ORDER does not fit any more: "ORDER_NO" is of type integer, but "NO" of type string',
      "extends: the inherited filter VALUABLE_OR_OURS does not fit any more: ITEM.PLANT is an integer; expected a number such as 12, but there is the string 'P1'.",
      "extends: the inherited filter VALUABLE_AND_OURS does not fit any more: ITEM.PLANT is an integer; expected a number such as 12, but there is the string 'P1'.",
      "extends: the inherited filter WITH_BRANCHES does not fit any more: ITEM.PLANT is an integer; expected a number such as 12, but there is the string 'P1'.",
    ]);
    expect(child({ records: [{ id: 'ORDER', attributes: [{ id: 'YEAR', type: 'boolean' }] }] })).toEqual([
      'extends: the inherited policy of ORDER does not fit any more: YEAR is a boolean; use eq, ne or in.',
    ]);
    expect(
      child({ records: [{ id: 'ITEM', identifier: ['BANK'], attributes: [{ id: 'BANK', nullable: false }] }] }),
    ).toEqual([
      'extends: the inherited policy of ITEM does not fit any more: "BANK" identifies a row and cannot be hidden',
    ]);
  });

  it('lists the faults of its own filters and policies', () => {
    const filters = [
      { id: 'NEW', expression: 'ITEM.PLANT gt' },
      { id: 'LARGE', expression: 'ITEM.SIZE eq 5' },
    ];
    expect(child({ filters, policies: [{ record: 'RATE', rows: 'DAY eq 5' }] })).toEqual([
      "filters.1.expression:13: ITEM.SIZE is a string; expected a string in single quotes such as 'value', but there is the number 5. Did you mean '5'?",
      "filters.0.expression:13: Expected a value: a string in single quotes ('it''s'), a number, a date, true, false or null, but the filter ends here.",
      'policies.0.rows:7: DAY is a date; expected a date such as 2015-05-07, but there is the number 5.',
    ]);
  });
});

describe('an aggregate of several records', () => {
  const kpi = (expression: string, cardinality?: 'one-to-one' | 'many-to-many') => {
    const relationships = (purchaseDefinition.relationships ?? []).map((one) => ({
      ...one,
      ...(cardinality && { cardinality }),
    }));
    return faultsOf(purchases({ relationships, kpis: [{ id: 'K', expression }] }));
  };

  it('is computed over the record from which the others are one row away', () => {
    expect(kpi("sum(case when SUPPLIER.CITY = 'Rome' then ITEM.AMOUNT else 0 end)")).toEqual([]);
    expect(kpi("count(ITEM.*) filter (where SUPPLIER.CITY = 'Rome' and ORDER.URGENT)")).toEqual([]);
    expect(kpi('sum(INVOICE.AMOUNT - ITEM.AMOUNT)', 'one-to-one')).toEqual([]);
  });

  it('is rejected when its filter reads a record that is not one row away', () => {
    const told = (records: string) =>
      `This aggregate is over rows of ${records}, so its filter can only read records that are one row away.`;
    expect(kpi('count(ORDER.*) filter (where ITEM.LATE)')).toEqual([`kpis.0.expression:0: ${told('ORDER')}`]);
    expect(kpi('count(ORDER.URGENT) filter (where ITEM.LATE)')).toEqual([`kpis.0.expression:0: ${told('ORDER')}`]);
    expect(kpi('count(1) filter (where ITEM.LATE and ORDER.URGENT)')).toEqual([]);
  });

  it('is rejected when no record has one row of each of the others', () => {
    const told = (records: string) =>
      `This aggregate reads ${records}, but none of them has one row of the others for each of its own; no relationships lead there.`;
    expect(kpi('1 + sum(INVOICE.AMOUNT - ITEM.AMOUNT)')).toEqual([`kpis.0.expression:4: ${told('INVOICE, ITEM')}`]);
    expect(kpi('count(SUPPLIER.*) filter (where ORDER.URGENT and ITEM.LATE and INVOICE.ID is null)')).toEqual([
      `kpis.0.expression:0: ${told('SUPPLIER, ORDER, ITEM, INVOICE')}`,
    ]);
    expect(kpi('max(RATE.EUR * ITEM.AMOUNT)')).toEqual([`kpis.0.expression:0: ${told('RATE, ITEM')}`]);
    expect(kpi('count(ITEM.*) filter (where ORDER.URGENT)', 'many-to-many')).toEqual([
      `kpis.0.expression:0: ${told('ITEM, ORDER')}`,
    ]);
  });
});
