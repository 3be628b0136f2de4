import { describe, expect, it } from '@jest/globals';
import { fullAccessCaller, purchaseViewFor, refusalMessagesFor } from '../testing/purchase-model.js';
import type { DataQuery } from './data-query.js';

type Asked = Partial<DataQuery>;

const ofItem = (members: Asked): Asked => ({ record: 'ITEM', fields: 'all', ...members });
const sorted = (sort: string): Asked => ofItem({ fields: ['AMOUNT', 'PLANT', 'NOTE'], sort });
const sortedGroups = (sort: string): Asked => ({ fields: ['ITEM.AMOUNT', 'ITEM.PLANT'], kpis: ['ORDER_VALUE'], sort });

const view = purchaseViewFor(fullAccessCaller);

type Refused = readonly [asked: Asked, ...told: readonly string[]];

describe('the resolver rejects a sort', () => {
  it.each<Refused>([
    [sorted(''), 'SORT_IS_EMPTY', 'The sort names nothing; expected what is asked for, with - before it to descend.'],
    [sorted('+'), 'SORT_IS_EMPTY', 'The sort names nothing; expected what is asked for, with - before it to descend.'],
    [sorted('-'), 'SORT_IS_EMPTY', 'The sort names nothing; expected what is asked for, with - before it to descend.'],
    [sorted(' '), 'SORT_IS_EMPTY', 'The sort names nothing; expected what is asked for, with - before it to descend.'],
    [
      sorted('PLANT,'),
      'SORT_IS_EMPTY',
      'Item 2 of the sort names nothing; expected what is asked for, with - before it to descend.',
    ],
    [
      sorted(',PLANT'),
      'SORT_IS_EMPTY',
      'Item 1 of the sort names nothing; expected what is asked for, with - before it to descend.',
    ],
    [
      sorted('PLANT,,AMOUNT'),
      'SORT_IS_EMPTY',
      'Item 2 of the sort names nothing; expected what is asked for, with - before it to descend.',
    ],
    [
      sorted('PLANT, -'),
      'SORT_IS_EMPTY',
      'Item 2 of the sort names nothing; expected what is asked for, with - before it to descend.',
    ],
    [sorted('PLANT,-PLANT'), 'SORT_HAS_OPPOSITE', 'The sort names PLANT in both directions; name it once.'],
    [sorted('-AMOUNT,PLANT, AMOUNT'), 'SORT_HAS_OPPOSITE', 'The sort names AMOUNT in both directions; name it once.'],
    [sorted('DUE'), 'SORT_UNKNOWN_FIELD', 'DUE is not asked for; name it in fields as well to sort by it.'],
    [sorted('PLNT'), 'SORT_UNKNOWN_FIELD', 'There is no PLNT to sort by. Did you mean PLANT?'],
    [sorted('plant'), 'SORT_UNKNOWN_FIELD', 'There is no plant to sort by. Did you mean PLANT?'],
    [sorted('NOTE'), 'SORT_UNKNOWN_FIELD', 'NOTE is not sortable; expected one of AMOUNT, PLANT.'],
    [sorted('ITEM.PLANT'), 'SORT_UNKNOWN_FIELD', 'There is no ITEM.PLANT to sort by. Did you mean PLANT?'],
    [sorted('PLANT desc'), 'SORT_UNKNOWN_FIELD', 'There is no PLANT desc to sort by. Did you mean -PLANT?'],
    [sorted('PLANT asc'), 'SORT_UNKNOWN_FIELD', 'There is no PLANT asc to sort by. Did you mean PLANT?'],
    [sorted('--PLANT'), 'SORT_UNKNOWN_FIELD', 'There is no -PLANT to sort by. Did you mean PLANT?'],
    [sorted('QQQ'), 'SORT_UNKNOWN_FIELD', 'There is no QQQ to sort by; expected one of AMOUNT, PLANT.'],
    [sorted('ORDER_VALUE'), 'SORT_UNKNOWN_FIELD', 'There is no ORDER_VALUE to sort by; expected one of AMOUNT, PLANT.'],
    [
      sorted('PLNT,AMOUNT,DUE'),
      'SORT_UNKNOWN_FIELD',
      'There is no PLNT to sort by. Did you mean PLANT?',
      'DUE is not asked for; name it in fields as well to sort by it.',
    ],
    [sortedGroups('PLANT'), 'SORT_UNKNOWN_FIELD', 'There is no PLANT to sort by. Did you mean ITEM.PLANT?'],
    [
      sortedGroups('ORDER.YEAR'),
      'SORT_UNKNOWN_FIELD',
      'ORDER.YEAR is not asked for; name it in fields as well to sort by it.',
    ],
    [
      sortedGroups('INVOICED'),
      'SORT_UNKNOWN_FIELD',
      'INVOICED is not asked for; name it in kpis as well to sort by it.',
    ],
    [sortedGroups('ITEM.PLNT'), 'SORT_UNKNOWN_FIELD', 'There is no ITEM.PLNT to sort by. Did you mean ITEM.PLANT?'],
    [
      sortedGroups('YEAR'),
      'SORT_UNKNOWN_FIELD',
      'There is no YEAR to sort by; expected one of ITEM.AMOUNT, ITEM.PLANT, ORDER_VALUE.',
    ],
    [
      sortedGroups('ORDER_VALUE DESC'),
      'SORT_UNKNOWN_FIELD',
      'There is no ORDER_VALUE DESC to sort by. Did you mean -ORDER_VALUE?',
    ],
    [ofItem({ fields: ['NOTE'], sort: 'NOTE' }), 'SORT_UNKNOWN_FIELD', 'NOTE is not sortable.'],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });
});
