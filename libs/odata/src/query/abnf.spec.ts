import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readODataEntries, type ValueType } from '@tessera/contracts/knowledge-models';
import { type Result, toHttpStatus, succeed } from '@tessera/failures';
import { type DataExpression, typeCheckFilter } from '@tessera/filter';
import { computeField, type RecordField } from '@tessera/knowledge-model';
import { fromODataName, toODataName } from '../names.js';
import {
  type AbnfCases,
  conditionCases,
  literalCases,
  operandCases,
  type NarrowingReason,
  narrowingReasons,
} from '../testing/abnf-cases.js';
import {
  expandCases,
  identifierCases,
  keyCases,
  maxVersionCases,
  queryOptionCases,
  orderbyCases,
  pageSizePreferenceCases,
  selectCases,
} from '../testing/abnf-options.js';
import { type SampleRecord, createSampleModel, findSampleType } from '../testing/sample-types.js';
import { chooseRepresentation } from './choose-representation.js';
import { buildCountQuery, buildEntriesQuery } from './entries-query.js';
import { buildEntryQuery } from './entry-query.js';
import { parsePreferredPageSize } from './entries-query.js';

const texts = (names: string): Record<string, ValueType> =>
  Object.fromEntries(names.split(' ').map((name) => [name, 'string']));

/** The properties that the cases name; `Size` is compared with numbers and with truth values. */
const records = (size: ValueType): Record<string, SampleRecord> => ({
  Employee: {
    fields: {
      ...texts('Name CompanyName FirstName LastName Street City Title style eyeColor'),
      ...{ Price: 'float', Rating: 'integer', Age: 'integer', Size: size, Cost: 'float', Revenue: 'float' },
      ...{ Completed: 'boolean', ReleaseDate: 'date', BirthDate: 'date', LifeTime: 'timestamp', Opens: 'time' },
    },
    ways: {
      ...{ Address: 'Address', Supplier: 'Supplier', Product: 'Product', Products: 'Product*' },
      ...{ Items: 'Item', Customer: 'Supplier', Category: 'Supplier', Manager: 'Supplier', Sales: 'Item' },
    },
  },
  Item: { fields: { Quantity: 'integer' } },
  Address: { fields: texts('Street City State ZipCode') },
  Supplier: { fields: texts('Name CompanyName') },
  Product: { fields: { ...texts('Name CompanyName'), Price: 'float', Age: 'integer', Completed: 'boolean' } },
});

/** Read with its names, and typed as the compiler types it. */
const readCondition = (text: string): Result<unknown> => {
  const results = (['float', 'boolean'] as const).map((size) => {
    const model = createSampleModel(records(size));
    const question = buildCountQuery(findSampleType(model, 'Employee'), model, { $filter: text });
    if (!question.ok) return question;
    const fields = new Map(
      model.types.flatMap(({ record, properties }) =>
        properties.flatMap(({ id, type }) =>
          [`${record}.${id}`, ...(record === 'Employee' ? [id] : [])].map(
            (name) => [name, columnOf(record, id, type)] as const,
          ),
        ),
      ),
    );
    return typed(question.value.parsedFilters?.[0]?.expression, fields);
  });
  return results.find(({ ok }) => ok) ?? results[0] ?? succeed(text);
};

const columnOf = (record: string, field: string, type: ValueType): RecordField => ({
  ...{ isKpi: false, type, nullable: true, record, field },
  expression: { kind: 'column', record, field, column: field, type, nullable: true, weight: 1 },
});

const typed = (expression: DataExpression | undefined, fields: ReadonlyMap<string, RecordField>): Result<unknown> => {
  const lookup = { get: (name: string) => fields.get(name.replace(/ #\d+/, '')), keys: fields.keys.bind(fields) };
  const typing =
    expression && typeCheckFilter(expression, { ...lookup, compute: (field) => computeField(field, lookup) });
  return typing?.ok === false
    ? { ok: false, failure: { code: 'KM_FILTER_TYPE', detail: typing.faults[0]?.message ?? '' } }
    : succeed(expression);
};

const model = createSampleModel(records('float'));

/** With entries that have keys, and several items. */
const { Employee, ...others } = records('float');
const expandable = createSampleModel({
  ...others,
  Employee: { ...Employee, fields: { Name: 'string' }, key: ['Name'], ways: { ...Employee?.ways, Items: 'Item*' } },
  Item: { fields: { Quantity: 'integer' }, ways: { Product: 'Product' } },
});
const employee = findSampleType(model, 'Employee');
const seal = { key: new Uint8Array(32), binding: '' };

/** As the gateway makes a request of it: with `$` or without, in any case. */
const readOptions = (text: string): Result<unknown> => {
  const options = text === '' ? [] : text.split('&').map((option) => option.split(/=(.*)/s, 2));
  const request = options.map(([name = '', value]) => [
    `$${name.replace('$', '').toLowerCase()}`,
    value !== undefined && /^(?:\d+|true|false)$/.test(value) ? JSON.parse(value) : (value ?? ''),
  ]);
  const checked = readODataEntries.request.safeParse({ km_id: 'm', record_id: 'r', ...Object.fromEntries(request) });
  if (!checked.success)
    return { ok: false, failure: { code: 'GENERAL_PARAMETER_ILLEGAL', detail: checked.error.message } };
  const representation = chooseRepresentation('entries', checked.data);
  return representation.ok ? buildEntriesQuery(employee, model, checked.data, seal) : representation;
};

const readKey =
  (type: SampleRecord) =>
  (key: string): Result<unknown> => {
    const keyed = createSampleModel({ Keyed: type });
    return buildEntryQuery(findSampleType(keyed, 'Keyed'), keyed, { key });
  };

const groups: readonly (readonly [name: string, cases: AbnfCases, read: (text: string) => Result<unknown>])[] = [
  ['conditions', conditionCases, readCondition],
  ['operands', operandCases, (text) => readCondition(`${text} eq null`)],
  ...Object.entries(literalCases).map(([type, cases]) => {
    const property = employee.properties.find((each) => each.type === type)?.name;
    return [`literals of ${type}`, cases, (text: string) => readCondition(`${property} eq ${text}`)] as const;
  }),
  ['$select', selectCases, ($select) => buildEntriesQuery(employee, model, { $select }, seal)],
  [
    '$expand',
    expandCases,
    ($expand) => buildEntriesQuery(findSampleType(expandable, 'Employee'), expandable, { $expand }, seal),
  ],
  ['$orderby', orderbyCases, ($orderby) => buildEntriesQuery(employee, model, { $orderby }, seal)],
  ['options', queryOptionCases, readOptions],
  ...keyCases.map(([type, cases]) => [`keys of ${Object.values(type.fields).join()}`, cases, readKey(type)] as const),
  ['versions', maxVersionCases, (odataMaxVersion) => chooseRepresentation('entries', { odataMaxVersion })],
  [
    'names',
    identifierCases,
    (text) =>
      toODataName(text) === text
        ? succeed(text)
        : { ok: false, failure: { code: 'GENERAL_PARAMETER_ILLEGAL', detail: '' } },
  ],
];

const narrowerOf = ({ narrower }: AbnfCases): readonly (readonly [NarrowingReason, string])[] =>
  Object.entries(narrowingReasons).flatMap(([reason]) =>
    isReason(reason) ? (narrower[reason] ?? []).map((text) => [reason, text] as const) : [],
  );
const isReason = (text: string): text is NarrowingReason => text in narrowingReasons;

describe.each(groups)('the OData grammar of %s', (_name, cases, read) => {
  if (cases.read.length > 0)
    it.each(cases.read)('accepts %j', (text) => expect(read(text)).toMatchObject({ ok: true }));
  if (cases.refused.length > 0)
    it.each(cases.refused)('refuses %j', (text) => expect(read(text)).toMatchObject({ ok: false }));
  const narrower = narrowerOf(cases);
  if (narrower.length > 0)
    it.each(narrower)('does not support %s: %j', (reason, text) => {
      const result = read(text);
      expect(result.ok ? 200 : toHttpStatus(result.failure)).toBe(narrowingReasons[reason][1]);
    });
});

it.each(pageSizePreferenceCases)('parsePreferredPageSize reads the page size of %s', (prefer, size) =>
  expect(parsePreferredPageSize(prefer, 5_000)).toBe(size),
);

it('every plain name is unchanged when converted to an OData name and back', () => {
  for (const name of [...identifierCases.read, ...identifierCases.refused])
    expect(fromODataName(toODataName(name))).toBe(name);
});

describe('the documentation of the grammar', () => {
  const documented = readFileSync(join(import.meta.dirname, '../../../../docs/odata.md'), 'utf8');
  const all = groups.map(([, cases]) => cases);

  it('lists unsupported grammar with the status and the number of cases', () => {
    const expected = Object.entries(narrowingReasons).map(([reason, [what, status]]) => {
      const count = all.flatMap(narrowerOf).filter(([each]) => each === reason).length;
      return `| ${what} | ${status} | ${count} |`;
    });
    const rows = documented.split('\n').filter((line) => / \| (?:4\d\d|5\d\d) +\| +\d+ +\|$/.test(line));
    expect(rows.map((line) => line.replaceAll(/ +/g, ' '))).toEqual(expected);
  });

  it('states the number of cases that pass', () => {
    const held = all.reduce(
      (sum, { read, refused }) => sum + read.length + refused.length,
      pageSizePreferenceCases.length,
    );
    const narrower = all.flatMap(narrowerOf).length;
    expect(documented).toContain(`${held} hold, ${narrower} are`);
  });
});
