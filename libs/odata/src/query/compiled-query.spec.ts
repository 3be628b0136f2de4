import { describe, expect, it } from '@jest/globals';
import { type CompiledStatement, compileQuery, type DataQuery } from '@tessera/knowledge-model';
import { createEntityModel } from '../model/entity-model-of.js';
import { ordersDefinition, createView } from '../testing/sample-views.js';
import { findSampleType } from '../testing/sample-types.js';
import { buildCountQuery, buildEntriesQuery, type EntriesRequest } from './entries-query.js';
import { buildEntryQuery } from './entry-query.js';
import { buildGroupsQuery } from './groups-query.js';

const view = createView(ordersDefinition);
const model = createEntityModel(view);
const seal = { key: new Uint8Array(32), binding: 'team' };

const compile = (query: DataQuery) => compileQuery(view, query, { schema: 'team' });
const compiled = (record: string, request: EntriesRequest) => {
  const question = buildEntriesQuery(findSampleType(model, record), model, request, seal);
  return question.ok ? compile(question.value.query) : question;
};

describe('an entries query', () => {
  it('selects the shown fields first, then those of the order', () => {
    const result = compiled('ITEM', { $select: 'SIZE', $orderby: 'AMOUNT desc', $top: 2 });
    expect(result).toMatchObject({
      ok: true,
      value: { columns: [{ id: 'SIZE' }, { id: 'AMOUNT' }], sort: ['-AMOUNT'] },
    });
    const places = result.ok ? result.value.order : [];
    expect(places.map(({ type, descending }) => [type, descending])).toEqual([
      ['float', true],
      ['string', true],
      ['integer', true],
    ]);
  });

  it.each([
    ['ITEM', "ITEM_x002D_NO eq 1 and _x0053_UPPLIER/ITEM eq 'x' and Container/COUNTRY in ('DE')"],
    ['Container', 'ITEM/AMOUNT gt 1 or DELIVERY_x002D_NOTE/ID eq 2'],
    ['DELIVERY-NOTE', 'year(ITEM/MOMENT) eq 2024'],
  ])('of %s accepts the filter %s', (record, $filter) => {
    expect(compiled(record, { $filter })).toMatchObject({ ok: true });
    const count = buildCountQuery(findSampleType(model, record), model, { $filter });
    expect(count.ok && compile(count.value)).toMatchObject({ ok: true });
  });

  it('accepts a key of an entry', () => {
    const question = buildEntryQuery(findSampleType(model, 'ITEM'), model, {
      key: "(ORDER_NO='4711',ITEM-NO=10)",
      $select: 'SIZE',
    });
    const result = question.ok ? compile(question.value.query) : question;
    expect(result).toMatchObject({ ok: true, value: { rows: { values: expect.arrayContaining(['4711']) } } });
  });
});

describe('an invalid entries query', () => {
  it.each([
    ['AMOUNT eq true', 'KM_FILTER_TYPE', /^\$filter .*character 11: AMOUNT is a float/],
    ['OPEN eq true', 'KM_FIELD_NOTFOUND', /^\$filter .*character 1: OPEN is not filterable/],
  ])('with the filter %s is rejected with the position in the option', ($filter, code, detail) =>
    expect(compiled('ITEM', { $filter })).toMatchObject({ failure: { code, detail: expect.stringMatching(detail) } }),
  );

  it('with an unknown filter of the model is rejected', () => {
    expect(compiled('ITEM', { filterid: ['NONE'] })).toMatchObject({ failure: { code: 'KM_FILTER_NOTFOUND' } });
  });
});

it('options that name a hidden property are rejected as unknown', () => {
  for (const request of [{ $select: 'SECRET' }, { $orderby: 'SECRET' }, { $filter: "Container/SECRET eq 'x'" }])
    expect(compiled('ITEM', request)).toMatchObject({
      failure: { detail: expect.stringContaining('There is no property SECRET') },
    });
});

it('$apply compiles to the same statement as the equivalent query at the level of the model', () => {
  const groupsOf = ($apply: string, $orderby: string) => {
    const built = buildGroupsQuery(findSampleType(model, 'ITEM'), model, { $apply, $orderby, $top: 49 }, seal);
    return built.ok ? compile(built.value.query) : built;
  };
  const plain = { filterIds: [], distinct: false, page: 0, pageSize: 50 };
  const same = compile({
    ...{ ...plain, fields: ['ITEM.SIZE', 'Container.COUNTRY'], kpis: ['ITEM-COUNT', 'AMOUNT'], sort: '-AMOUNT' },
    filterExpressions: ["ITEM.QTY gt 1 and Container.COUNTRY ne 'DE'"],
  });
  const $apply = "filter(QTY gt 1 and Container/COUNTRY ne 'DE')/groupby((SIZE,Container/COUNTRY),aggregate(";
  if (!same.ok) throw new Error(same.failure.detail);
  const textOf = ({ text, values }: CompiledStatement) => ({ text, values });
  const [rows, count] = [textOf(same.value.rows), textOf(same.value.count)];
  expect(groupsOf(`${$apply}ITEM-COUNT,_x0041_MOUNT as TOTAL))`, 'TOTAL desc')).toMatchObject({
    value: { rows, count },
  });
  expect(groupsOf(`${$apply}$count as N,EXACT with sum as TOTAL))`, 'TOTAL desc')).toMatchObject({
    value: { rows, count },
  });
});
