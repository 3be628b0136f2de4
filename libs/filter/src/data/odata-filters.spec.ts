import { describe, expect, it } from '@jest/globals';
import { parseDataFilter } from './parse-data-filter.js';
import { printDataFilter } from './testing/print-data-filter.js';
import { typeFilter } from './type-filter.js';
import type { FieldDeclaration } from './typed-filter.js';

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

/** The text it means, printed in one form, or the rule that it breaks. */
const meaningOf = (text: string): string => {
  const isBoolean = (name: string) => fields.get(name)?.type === 'boolean';
  const parsed = parseDataFilter(text, { dialect: 'odata', isBoolean });
  if (!parsed.ok) return parsed.fault.rule;
  const typed = typeFilter(parsed.value, fields);
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
  ['null ne Name', 'syntax'],
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
];

/** Productions that OData has and this syntax has not, and texts that are none of either. */
const refused: readonly (readonly [string, string])[] = [
  ['Price add 5 gt 10', 'syntax'],
  ['Price mul 2 gt 10', 'syntax'],
  ['Rating mod 2 eq 0', 'syntax'],
  ['-Price lt 0', 'syntax'],
  ["style has Sales.Pattern'Yellow'", 'syntax'],
  ["concat(Name,'x') eq 'ax'", 'syntax'],
  ["indexof(CompanyName,'lfreds') eq 1", 'syntax'],
  ["substring(CompanyName,1) eq 'lfreds'", 'syntax'],
  ["trim(CompanyName) eq 'x'", 'syntax'],
  ['round(Price) eq 32', 'syntax'],
  ['now() gt Modified', 'syntax'],
  ['date(Modified) eq 2012-09-03', 'syntax'],
  ['isof(Model.Customer)', 'syntax'],
  ["cast(Rating,Edm.String) eq '5'", 'syntax'],
  ['Items/any(d:d/Quantity gt 100)', 'syntax'],
  ['Items/all(d:d/Quantity gt 100)', 'syntax'],
  ['Items/$count gt 5', 'syntax'],
  ['Name eq @name', 'syntax'],
  ["$it/Name eq 'x'", 'syntax'],
  ['Price', 'syntax'],
  ['tolower(Name)', 'syntax'],
  ['Active eq', 'syntax'],
  ["contains(CompanyName,'freds') eq 1", 'syntax'],
  ["contains(CompanyName,'freds') gt true", 'syntax'],
  ['true', 'syntax'],
  ["'Milk' eq Name", 'syntax'],
  ['Name eq tolower(CompanyName)', 'syntax'],
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
  ['BirthDate eq -0044-03-15', 'type'],
  ['Opens eq 7:59', 'type'],
  ['Modified ge 2012-09-03T24:00Z', 'type'],
  ['Modified ge 2012-09-03T13Z', 'type'],
  ["Rating in (1,'two')", 'type'],
  ["startswith(Rating,'1')", 'type'],
  ['year(Name) eq 1', 'type'],
];

describe('$filter of OData', () => {
  it.each(served)('means by %s', (text, meaning) => expect(meaningOf(text)).toBe(meaning));
  it.each(refused)('refuses %s by %s', (text, rule) => expect(meaningOf(text)).toBe(rule));
});
