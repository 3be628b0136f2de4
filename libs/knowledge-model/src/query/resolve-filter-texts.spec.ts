import { describe, expect, it } from '@jest/globals';
import { fullAccessCaller, purchaseViewFor, refusalMessagesFor } from '../testing/purchase-model.js';
import type { DataQuery } from './data-query.js';

type Asked = Partial<DataQuery>;

const ofItem = (members: Asked): Asked => ({ record: 'ITEM', fields: 'all', ...members });
const ofPlants = (members: Asked): Asked => ({ fields: ['ITEM.PLANT'], ...members });
const matching = (...filterExpressions: readonly string[]): Asked => ofItem({ filterExpressions });
const matchingAll = (...filterExpressions: readonly string[]): Asked => ofPlants({ filterExpressions });

const view = purchaseViewFor(fullAccessCaller);

type Refused = readonly [asked: Asked, ...told: readonly string[]];

describe('the resolver rejects a value in a filter expression', () => {
  it.each<Refused>([
    [
      matching('AMOUNT eq many'),
      'KM_FILTER_TYPE',
      'filterExpr (AMOUNT eq many), character 11: AMOUNT is a float; expected a number such as 12.5, but there is the word many.',
    ],
    [
      matching('PLANT eq 5'),
      'KM_FILTER_TYPE',
      "filterExpr (PLANT eq 5), character 10: PLANT is a string; expected a string in single quotes such as 'value', but there is the number 5. Did you mean '5'?",
    ],
    [
      matching('DUE gt 5'),
      'KM_FILTER_TYPE',
      'filterExpr (DUE gt 5), character 8: DUE is a date; expected a date such as 2015-05-07, but there is the number 5.',
    ],
    [
      matching('LATE gt true'),
      'KM_FILTER_TYPE',
      'filterExpr (LATE gt true), character 1: LATE is a boolean; use eq, ne or in.',
    ],
    [
      matching("contains(AMOUNT, '5')"),
      'KM_FILTER_TYPE',
      "filterExpr (contains(AMOUNT, '5')), character 10: AMOUNT is a float; contains takes a string.",
    ],
    [
      matching('PLANT eq NOTE'),
      'KM_FILTER_TYPE',
      "filterExpr (PLANT eq NOTE), character 10: NOTE is a field; fields compare with values. Write 'NOTE' for the text.",
    ],
    [
      matching('year(PLANT) eq 2015'),
      'KM_FILTER_TYPE',
      'filterExpr (year(PLANT) eq 2015), character 6: PLANT is a string; year takes a date, a datetime or a timestamp.',
    ],
    [
      matching('AMOUNT in (1, null)'),
      'KM_FILTER_TYPE',
      'filterExpr (AMOUNT in (1, null)), character 15: AMOUNT is a float; expected a number such as 12.5, but there is null, for which AMOUNT eq null asks.',
    ],
    [
      matchingAll("ORDER_VALUE eq 'x'"),
      'KM_FILTER_TYPE',
      "filterExpr (ORDER_VALUE eq 'x'), character 16: ORDER_VALUE is a float; expected a number such as 12.5, but there is the string 'x'.",
    ],
    [
      matchingAll('INVOICE.PAID gt 12:30'),
      'KM_FILTER_TYPE',
      'filterExpr (INVOICE.PAID gt 12:30), character 17: INVOICE.PAID is a timestamp; expected a date or a datetime such as 2015-05-07T08:30:00Z, but there is the time 12:30.',
    ],
    [
      matching('AMOUNT eq many or PLNT eq 5'),
      'KM_FILTER_TYPE',
      'filterExpr (AMOUNT eq many or PLNT eq 5), character 11: AMOUNT is a float; expected a number such as 12.5, but there is the word many.',
      'filterExpr (AMOUNT eq many or PLNT eq 5), character 19: There is no field PLNT in ITEM. Did you mean PLANT?',
    ],
    [
      matching('PLNT eq 5 or AMOUNT eq many'),
      'KM_FIELD_NOTFOUND',
      'filterExpr (PLNT eq 5 or AMOUNT eq many), character 1: There is no field PLNT in ITEM. Did you mean PLANT?',
      'filterExpr (PLNT eq 5 or AMOUNT eq many), character 24: AMOUNT is a float; expected a number such as 12.5, but there is the word many.',
    ],
    [
      matching("PLANT eq 'P1'", 'DUE eq 2015-02-29'),
      'KM_FILTER_TYPE',
      'filterExpr 2 of 2 (DUE eq 2015-02-29), character 8: DUE is a date; 2015-02-29 is none: month 02 of 2015 has no day 29.',
    ],
    [
      matching("PLANT eq 'P1',DUE eq 5", 'ITEM_NO eq x'),
      'KM_FILTER_TYPE',
      "filterExpr 1 of 2 (PLANT eq 'P1',DUE eq 5), character 22: DUE is a date; expected a date such as 2015-05-07, but there is the number 5.",
      'filterExpr 2 of 2 (ITEM_NO eq x), character 12: ITEM_NO is an integer; expected a number such as 12, but there is the word x.',
    ],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });
});

describe('an unquoted word with a dot', () => {
  it.each([
    ['PLANT eq ITM.PLANT', 'ITM.PLANT', ' Did you mean ITEM.PLANT?'],
    ['PLANT in (P1, SUPPLIER.CITI)', 'SUPPLIER.CITI', ' Did you mean SUPPLIER.CITY?'],
    ['PLANT ne calle.plant', 'calle.plant', ''],
    ['PLANT ne Caller.plant', 'Caller.plant', ''],
  ])('is refused where it is nearly a name: %s', (text, word, hint) => {
    const told = `${word} is no name that is known here; write '${word}' for the text.${hint}`;
    const where = `filterExpr (${text}), character ${text.indexOf(word) + 1}`;
    expect(refusalMessagesFor(view, matching(text))).toEqual(['KM_FILTER_TYPE', `${where}: ${told}`]);
  });

  it.each(['PLANT eq plan.txt', 'PLANT in (1.2.3, cellar.key)', "PLANT ne 'calle.plant'", 'PLANT eq ITEM.pdf'])(
    'is a text elsewhere: %s',
    (text) => {
      expect(refusalMessagesFor(view, matching(text))).toEqual([]);
    },
  );
});

describe('the resolver rejects the text of a filter expression', () => {
  it.each<Refused>([
    [
      matching(''),
      'KM_FILTER_SYNTAX',
      "filterExpr (), character 1: Expected a condition such as CITY eq 'Rome', contains(CITY, 'o'), not or a parenthesis; a field stands on the left, but the filter ends here.",
    ],
    [
      matching('AMOUNT'),
      'KM_FILTER_SYNTAX',
      'filterExpr (AMOUNT), character 7: Expected an operator (eq ne gt ge lt le in is), but the filter ends here.',
    ],
    [
      matching('AMOUNT = 5'),
      'KM_FILTER_SYNTAX',
      'filterExpr (AMOUNT = 5), character 8: Expected an operator (eq ne gt ge lt le in is); write eq for the symbol.',
    ],
    [
      matching("PLANT eq 'P1' AND AMOUNT gt 5"),
      'KM_FILTER_SYNTAX',
      "filterExpr (PLANT eq 'P1' AND AMOUNT gt 5), character 15: Keywords are in lower case: write and.",
    ],
    [
      matching("PLANT eq 'P1"),
      'KM_FILTER_SYNTAX',
      "filterExpr (PLANT eq 'P1), character 10: Expected a value: a string in single quotes ('it''s'), a number, a date, true, false or null, but the string that begins here has no closing quote (a quote inside is written '').",
    ],
    [
      matching('(AMOUNT gt 1'),
      'KM_FILTER_SYNTAX',
      'filterExpr ((AMOUNT gt 1), character 13: Expected and, or or a closing parenthesis, but the filter ends here.',
    ],
    [
      matching('AMOUNT gt 1)'),
      'KM_FILTER_SYNTAX',
      'filterExpr (AMOUNT gt 1)), character 12: Expected and, or, a comma or the end of the filter, but there is ")".',
    ],
    [
      matching('AMOUNT gt'),
      'KM_FILTER_SYNTAX',
      "filterExpr (AMOUNT gt), character 10: Expected a value: a string in single quotes ('it''s'), a number, a date, true, false or null, but the filter ends here.",
    ],
    [
      matching('PLANT eq caller.plant'),
      'KM_FILTER_SYNTAX',
      'filterExpr (PLANT eq caller.plant), character 10: Only row policies compare with attributes of the caller.',
    ],
    [
      matching("contians(PLANT, 'a')"),
      'KM_FILTER_SYNTAX',
      'filterExpr (contians(PLANT, \'a\')), character 1: Expected one of the functions contains startswith endswith tolower toupper length year month day, but there is "contians". Did you mean contains?',
    ],
    [
      matching("PLANT eq 'a',"),
      'KM_FILTER_SYNTAX',
      "filterExpr (PLANT eq 'a',), character 14: Expected a condition such as CITY eq 'Rome', contains(CITY, 'o'), not or a parenthesis; a field stands on the left, but the filter ends here.",
    ],
    [
      matching('AMOUNT gt 1 && AMOUNT lt 2'),
      'KM_FILTER_SYNTAX',
      'filterExpr (AMOUNT gt 1 && AMOUNT lt 2), character 13: Expected and, or, a comma or the end of the filter; write and for the symbol.',
    ],
    [
      matching("PLANT eq 'P1'", 'AMOUNT gt'),
      'KM_FILTER_SYNTAX',
      "filterExpr 2 of 2 (AMOUNT gt), character 10: Expected a value: a string in single quotes ('it''s'), a number, a date, true, false or null, but the filter ends here.",
    ],
    [
      matching('a'.repeat(65_537)),
      'KM_FILTER_SYNTAX',
      'filterExpr (...aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa), character 65537: The filter has 65537 characters; at most 65536 are accepted.',
    ],
    [
      matching(`${"PLANT eq 'P1' and ".repeat(10)}AMOUNT = 5${" and PLANT eq 'P1'".repeat(10)}`),
      'KM_FILTER_SYNTAX',
      "filterExpr (...NT eq 'P1' and PLANT eq 'P1' and AMOUNT = 5 and PLANT eq 'P1' and PLANT eq 'P1' ...), character 188: Expected an operator (eq ne gt ge lt le in is); write eq for the symbol.",
    ],
    [
      matching(`${'('.repeat(40)}AMOUNT gt 1`),
      'KM_FILTER_SYNTAX',
      'filterExpr (((((((((((((((((((((((((((((((((((((((((AMOUNT gt 1), character 33: Parentheses, functions and not go at most 32 deep.',
    ],
  ])('%j: %s', (asked, ...told) => {
    expect(refusalMessagesFor(view, asked)).toEqual(told);
  });
});
