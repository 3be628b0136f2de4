import { describe, expect, it } from '@jest/globals';
import { parseDataFilter } from './parse-data-filter.js';
import { printDataFilter } from './testing/print-data-filter.js';
import { typeCheckFilter } from './type-filter.js';
import type { ComputedField, ComputedFieldResult, FieldDeclaration } from './typed-filter.js';

const fields = new Map<string, FieldDeclaration>(
  (
    [
      ['Name', 'string'],
      ['CompanyName', 'string'],
      ['Address.City', 'string'],
      ['Rating', 'integer'],
      ['Price', 'float'],
      ['Active', 'boolean'],
      ['BirthDate', 'date'],
      ['Opens', 'time'],
      ['Modified', 'timestamp'],
    ] as const
  ).map(([name, type]) => [name, { type, nullable: true }]),
);

const computedTypes = new Map<string, FieldDeclaration['type']>([
  ['indexof', 'integer'],
  ['round', 'float'],
  ['date', 'date'],
]);

const typeOfValue = ({ value }: Pick<ComputedField, 'value'>): FieldDeclaration['type'] => {
  switch (value.kind) {
    case 'comparison':
      return 'boolean';
    case 'arithmetic':
    case 'negate':
    case 'count':
      return 'float';
    case 'field':
      return fields.get(value.name)?.type ?? 'string';
    case 'literal':
      return value.literal.kind === 'boolean' ? 'boolean' : 'string';
    case 'call':
      return computedTypes.get(value.function) ?? 'string';
  }
};

/** The owner of the fields says what type is computed. */
const compute = (field: ComputedField): ComputedFieldResult<FieldDeclaration> => ({
  ok: true,
  value: { type: typeOfValue(field), nullable: true },
});

/** The text it means, printed in one form, or the rule that it breaks. */
const meaningOf = (text: string): string => {
  const isBoolean = (name: string) => fields.get(name)?.type === 'boolean' || name === 'Items.Done';
  const isField = (name: string) => fields.has(name);
  const aliases = new Map([
    ['@name', "'Milk'"],
    ['@other', 'Name eq 1'],
    ['@alias', '@name'],
  ]);
  const now = new Date('2026-01-05T08:30:00Z');
  const parsed = parseDataFilter(text, { dialect: 'odata', isBoolean, isField, aliases, now });
  if (!parsed.ok) return parsed.fault.rule;
  if (text.includes('Items/')) return printDataFilter(parsed.value);
  const typed = typeCheckFilter(parsed.value, { get: (name) => fields.get(name), keys: () => fields.keys(), compute });
  return typed.ok ? printDataFilter(parsed.value) : (typed.faults[0]?.rule ?? '');
};

/** Productions of the OData 4.01 grammar that this syntax shares, each with what it means here. */
const served: readonly (readonly [string, string])[] = [
  // Comparisons
  ["Name eq 'Milk'", "Name eq 'Milk'"],
  ["Name ne 'Milk'", "Name ne 'Milk'"],
  ["Name gt 'Milk'", "Name gt 'Milk'"],
  ["Name  ge\t'Milk'", "Name ge 'Milk'"],
  ["Name lt 'Milk'", "Name lt 'Milk'"],
  ["Name le 'Milk'", "Name le 'Milk'"],
  ["Name in ('Milk','Cheese')", "Name in ('Milk', 'Cheese')"],
  ["Name in ( 'Milk' , 'Cheese' )", "Name in ('Milk', 'Cheese')"],
  ['Rating in (1)', 'Rating in (1)'],
  ['Name eq null', 'Name eq null'],
  ['null ne Name', 'Name ne null'],
  // Logic
  ["Name eq 'Milk' and Price lt 2.55", "Name eq 'Milk' and Price lt 2.55"],
  ["Name eq 'Milk' or Price lt 2.55", "Name eq 'Milk' or Price lt 2.55"],
  ["not endswith(Name,'ilk')", "not endswith(Name, 'ilk')"],
  ["not (Name eq 'Milk')", "not (Name eq 'Milk')"],
  ["not(Name eq 'Milk')", "not (Name eq 'Milk')"],
  ["(Name eq 'Milk')", "Name eq 'Milk'"],
  ["( Name eq 'Milk' )", "Name eq 'Milk'"],
  ['(Rating eq 1 or Rating eq 2) and Active eq true', '(Rating eq 1 or Rating eq 2) and Active eq true'],
  ['Rating eq 1 or Rating eq 2 and Active eq true', 'Rating eq 1 or Rating eq 2 and Active eq true'],
  // Conditions that are values
  ['Active', 'Active eq true'],
  ['not Active', 'not (Active eq true)'],
  ['(Active) and (not Active or Rating eq 1)', 'Active eq true and (not (Active eq true) or Rating eq 1)'],
  ["contains(CompanyName,'freds') eq true", "contains(CompanyName, 'freds')"],
  ["contains(CompanyName,'freds') ne false", "contains(CompanyName, 'freds')"],
  ["startswith(CompanyName,'A') eq false", "not startswith(CompanyName, 'A')"],
  ["endswith(CompanyName,'e') ne true and Active", "not endswith(CompanyName, 'e') and Active eq true"],
  // Paths
  ["Address/City eq 'Redmond'", "Address.City eq 'Redmond'"],
  ["contains(Address/City,'ed')", "contains(Address.City, 'ed')"],
  // Strings
  ["Name eq ''", "Name eq ''"],
  ["Name eq 'O''Neil'", "Name eq 'O''Neil'"],
  ["Name eq ''''", "Name eq ''''"],
  ["Name eq 'a (b), c/d'", "Name eq 'a (b), c/d'"],
  ["Name eq 'Gerüst 漢字 💥'", "Name eq 'Gerüst 漢字 💥'"],
  ["Name eq 'null'", "Name eq 'null'"],
  // Numbers
  ['Rating eq 5', 'Rating eq 5'],
  ['Rating eq -5', 'Rating eq -5'],
  ['Rating eq 9223372036854775807', 'Rating eq 9223372036854775807'],
  ['Price eq 3.14', 'Price eq 3.14'],
  ['Price eq 6.022e23', 'Price eq 6.022e23'],
  ['Price eq 1.5E-3', 'Price eq 1.5E-3'],
  // Booleans
  ['Active eq true', 'Active eq true'],
  ['Active ne false', 'Active ne false'],
  // Dates and times
  ['BirthDate eq 2012-09-03', 'BirthDate eq 2012-09-03'],
  ['BirthDate ge 0001-01-01', 'BirthDate ge 0001-01-01'],
  ['Opens le 07:59:59.999', 'Opens le 07:59:59.999'],
  ['Opens le 07:59', 'Opens le 07:59'],
  ['Modified ge 2012-09-03T13:52Z', 'Modified ge 2012-09-03T13:52Z'],
  ['Modified ge 2012-09-03T08:09:02Z', 'Modified ge 2012-09-03T08:09:02Z'],
  ['Modified ge 2012-08-31T18:19:22.1-07:00', 'Modified ge 2012-08-31T18:19:22.1-07:00'],
  ['Modified ge 2012-09-03T14:53+02:00', 'Modified ge 2012-09-03T14:53+02:00'],
  ['Modified ge 2012-09-03T14:53:00.0000000Z', 'Modified ge 2012-09-03T14:53:00.0000000Z'],
  // Functions
  ["contains(CompanyName,'freds')", "contains(CompanyName, 'freds')"],
  ["startswith(CompanyName,'Alfr')", "startswith(CompanyName, 'Alfr')"],
  ["endswith(CompanyName,'Futterkiste')", "endswith(CompanyName, 'Futterkiste')"],
  ["contains( CompanyName , 'freds' )", "contains(CompanyName, 'freds')"],
  ['length(CompanyName) eq 19', 'length(CompanyName) eq 19'],
  ["tolower(CompanyName) eq 'alfreds futterkiste'", "tolower(CompanyName) eq 'alfreds futterkiste'"],
  ["toupper(CompanyName) eq 'ALFREDS FUTTERKISTE'", "toupper(CompanyName) eq 'ALFREDS FUTTERKISTE'"],
  ["contains(tolower(CompanyName),'alfreds')", "contains(tolower(CompanyName), 'alfreds')"],
  ['year(BirthDate) eq 1971', 'year(BirthDate) eq 1971'],
  ['month(BirthDate) eq 5', 'month(BirthDate) eq 5'],
  ['day(Modified) eq 8', 'day(Modified) eq 8'],
  ["concat(Name,'x') eq 'ax'", "concat(Name, 'x') eq 'ax'"],
  ["concat(concat(Name, ', '), CompanyName) eq 'a'", "concat(concat(Name, ', '), CompanyName) eq 'a'"],
  ["indexof(CompanyName,'lfreds') eq 1", "indexof(CompanyName, 'lfreds') eq 1"],
  ["substring(CompanyName,1) eq 'lfreds'", "substring(CompanyName, 1) eq 'lfreds'"],
  ["substring(CompanyName,1,Rating) in ('a','b')", "substring(CompanyName, 1, Rating) in ('a', 'b')"],
  ["startswith(trim(CompanyName),'x')", "startswith(trim(CompanyName), 'x')"],
  ['contains(Name,CompanyName)', '(Name contains CompanyName) eq true'],
  ['contains(Name,CompanyName) eq false', 'not ((Name contains CompanyName) eq true)'],
  ['round(Price) eq 32', 'round(Price) eq 32'],
  ['date(Modified) eq 2012-09-03', 'date(Modified) eq 2012-09-03'],
  ['now() gt Modified', 'Modified lt 2026-01-05T08:30:00.000Z'],
  ['Modified lt now( )', 'Modified lt 2026-01-05T08:30:00.000Z'],
  // Arithmetic
  ['Price add 5 gt 10', '(Price add 5) gt 10'],
  ['Price add 5 mul 2 gt 10', '(Price add (5 mul 2)) gt 10'],
  ['Price sub 5 sub 2 gt 10', '((Price sub 5) sub 2) gt 10'],
  ['(Price add 5) mul 2 gt 10', '((Price add 5) mul 2) gt 10'],
  ['((Price add 5) mul 2 gt 10)', '((Price add 5) mul 2) gt 10'],
  ['not (Price add 5 gt 10)', 'not ((Price add 5) gt 10)'],
  ['Rating mod 2 eq 0', '(Rating mod 2) eq 0'],
  ['Rating divby 2 eq -0.5', '(Rating divby 2) eq -0.5'],
  ['-Price lt 0', '-(Price) lt 0'],
  ['- Price lt -5', '-(Price) lt -5'],
  ['-(Price add -5) lt 0', '-((Price add -5)) lt 0'],
  ['10 lt Price mul 2', '(Price mul 2) gt 10'],
  // Values on both sides
  ["'Milk' eq Name", "Name eq 'Milk'"],
  ['5 le Rating', 'Rating ge 5'],
  ['null eq Name', 'Name eq null'],
  ['Name eq CompanyName', '(Name eq CompanyName) eq true'],
  ['Name ne tolower(CompanyName)', 'not ((Name eq tolower(CompanyName)) eq true)'],
  ['(Price) gt Rating', '(Price gt Rating) eq true'],
  ['true eq false', '(true eq false) eq true'],
  // Lambda operators
  ['Items/any()', 'Items/any()'],
  ['Items/any( )', 'Items/any()'],
  ['not Items/any() and Active', 'not Items/any() and Active eq true'],
  ['Items/any(d:d/Quantity gt 100)', 'Items/any(d:d.Quantity gt 100)'],
  [
    'Items/any( d : d/Quantity gt 100 and Rating eq d/Quantity )',
    'Items/any(d:d.Quantity gt 100 and (Rating eq d.Quantity) eq true)',
  ],
  ['Items/all(d:d/Quantity gt 100)', 'not Items/any(d:not (d.Quantity gt 100))'],
  ["Items/any(d:tolower(d/Name) eq 'a:b')", "Items/any(d:tolower(d.Name) eq 'a:b')"],
  ['Items/any(d:(d/Quantity gt 1) or not d/Done)', 'Items/any(d:d.Quantity gt 1 or not (d.Done eq true))'],
  ['Items/any(d:d/Parts/any(p:p/No eq d/No))', 'Items/any(d:d.Parts/any(p:(p.No eq d.No) eq true))'],
  ['Items/any(d:d/No eq 1) eq false', 'not Items/any(d:d.No eq 1)'],
  // Parameter aliases
  ['Name eq @name', "Name eq 'Milk'"],
  ["Name in (@name,'Cheese')", "Name in ('Milk', 'Cheese')"],
  ['@name eq Name', "Name eq 'Milk'"],
  ['contains(Name,@name)', "contains(Name, 'Milk')"],
  ['Name eq @missing', 'Name eq null'],
];

/** Productions that OData has and this syntax has not, and texts that are none of either. */
const refused: readonly (readonly [string, string])[] = [
  ["style has Sales.Pattern'Yellow'", 'syntax'],
  ['any()', 'syntax'],
  ['Items/all()', 'syntax'],
  ['Items/any(d)', 'syntax'],
  ['Items/any(d:)', 'syntax'],
  ['Items/any(d/No eq 1)', 'syntax'],
  ['Items/any(d:d/No eq 1', 'syntax'],
  ['Items/any(d:d/No eq 1,2)', 'syntax'],
  ['Items/any(d:d/Parts/any(d:d/No eq 1))', 'syntax'],
  ['Items/any(a:a/B/any(b:b/C/any(c:c/D/any(d:d/No eq 1))))', 'depthMax'],
  ['Items/any(d:true)', 'syntax'],
  ['Name eq @other', 'syntax'],
  ['Name eq @alias', 'syntax'],
  ['Name eq @', 'syntax'],
  ['Price add gt 10', 'syntax'],
  ['add 5 gt 10', 'syntax'],
  ['(Price add 5 gt 10', 'syntax'],
  ['Price add 5', 'syntax'],
  ['(Price add 5) and Active', 'syntax'],
  ['substring(Name) eq 1', 'syntax'],
  ['now(1) eq Modified', 'syntax'],
  ['hour(Modified eq 1', 'syntax'],
  ["tolower(contains(Name,'x')) eq 'a'", 'syntax'],
  ['contains(Name) eq true', 'syntax'],
  ['isof(Model.Customer)', 'syntax'],
  ["cast(Rating,Edm.String) eq '5'", 'syntax'],
  ['Items/$count($top=1) gt 5', 'syntax'],
  ["$it/Name eq 'x'", 'syntax'],
  ['Price', 'syntax'],
  ['tolower(Name)', 'syntax'],
  ['Active eq', 'syntax'],
  ["contains(CompanyName,'freds') eq 1", 'syntax'],
  ["contains(CompanyName,'freds') gt true", 'syntax'],
  ['true', 'syntax'],
  ["Name eq 'Milk' and", 'syntax'],
  ["and Name eq 'Milk'", 'syntax'],
  ["Name eq 'Milk' Name eq 'Cheese'", 'syntax'],
  ["(Name eq 'Milk'", 'syntax'],
  ["Name eq 'Milk')", 'syntax'],
  ['()', 'syntax'],
  ['not', 'syntax'],
  ["Name eq 'Milk", 'syntax'],
  ["Name eq 'O'Neil'", 'syntax'],
  ["Name EQ 'Milk'", 'syntax'],
  ['Name in ()', 'syntax'],
  ["Name in 'Milk'", 'syntax'],
  ["Nmae eq 'Milk'", 'field'],
  ["Address/Town eq 'x'", 'field'],
  ['Rating eq INF', 'type'],
  ['Price eq NaN', 'type'],
  ['Price eq .5', 'type'],
  ['Price eq 5.', 'type'],
  ['Rating eq 5L', 'type'],
  ["Modified eq datetime'2012-09-03T00:00:00'", 'syntax'],
  ['BirthDate eq 2012-9-3', 'type'],
  ['BirthDate eq 2012-13-01', 'type'],
  ['Opens eq 7:59', 'type'],
  ['Modified ge 2012-09-03T24:00Z', 'type'],
  ['Modified ge 2012-09-03T13Z', 'type'],
  ["Rating in (1,'two')", 'type'],
  ["startswith(Rating,'1')", 'type'],
  ['year(Name) eq 1', 'type'],
];

describe('$filter of OData', () => {
  it.each(served)('parses %s to %s', (text, meaning) => expect(meaningOf(text)).toBe(meaning));
  it.each(refused)('rejects %s with the rule %s', (text, rule) => expect(meaningOf(text)).toBe(rule));
});
