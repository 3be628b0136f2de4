import { describe, expect, it } from '@jest/globals';
import { fullAccessCaller, purchaseViewFor, refusalMessagesFor } from '../testing/purchase-model.js';
import type { DataQuery, DataSearch } from './data-query.js';

type Asked = Partial<DataQuery>;

const ofItem = (members: Asked): Asked => ({ record: 'ITEM', fields: 'all', ...members });
const ofPlants = (members: Asked): Asked => ({ fields: ['ITEM.PLANT'], ...members });
const searchOf = (...fields: readonly string[]): DataSearch => ({ term: 'x', precision: 80, fields });

const view = purchaseViewFor(fullAccessCaller);

type Refused = readonly [asked: Asked, ...told: readonly string[]];

describe('the resolver rejects a search', () => {
  it.each<Refused>([
    [ofItem({ search: searchOf('PLNT') }), 'KM_FIELD_NOTFOUND', 'There is no field PLNT in ITEM. Did you mean PLANT?'],
    [
      ofItem({ search: searchOf('AMOUNT', 'PLANT', 'DUE') }),
      'KM_FIELD_NOTFOUND',
      'AMOUNT is of type float; fields of type string can be searched.',
      'DUE is of type date; fields of type string can be searched.',
    ],
    [
      ofItem({ search: searchOf('ORDER.YEAR') }),
      'KM_FIELD_NOTFOUND',
      'ORDER.YEAR is a field of another record; ask for it at the level of the model.',
    ],
    [
      ofItem({ search: searchOf('ORDER_VALUE') }),
      'KM_FIELD_NOTFOUND',
      'ORDER_VALUE is a KPI; KPIs are asked for at the level of the model.',
    ],
    [
      ofPlants({ search: searchOf('PLANT') }),
      'KM_FIELD_NOTFOUND',
      'At the level of the model a field is written with its record. Did you mean ITEM.PLANT?',
    ],
    [
      ofPlants({ search: searchOf('ORDER.YEAR') }),
      'KM_FIELD_NOTFOUND',
      'ORDER.YEAR is of type integer; fields of type string can be searched.',
    ],
    [
      { kpis: ['ORDER_VALUE'], search: searchOf() },
      'GENERAL_PARAMETER_MISSING',
      'Name in searchField the fields to search; without fields there is none to choose from.',
    ],
    [
      ofItem({ record: 'RATE', search: searchOf() }),
      'GENERAL_PARAMETER_MISSMATCH',
      'RATE has no field of type string to search.',
    ],
    [
      { fields: ['RATE.EUR'], search: searchOf() },
      'GENERAL_PARAMETER_MISSMATCH',
      'The records that are asked for have no field of type string to search.',
    ],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });
});
