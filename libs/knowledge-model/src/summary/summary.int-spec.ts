/** Summaries of records on a real PostgreSQL: of the shop, by hand, and of random values, against a plain evaluation. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkModel } from '../check-model.js';
import { createCallerView } from '../query/caller-view.js';
import type { QueryCaller } from '../query/data-query.js';
import {
  fullAccessCaller,
  openShopDatabase,
  type QueryMembers,
  romeCaller,
  type ShopDatabase,
} from '../testing/shop-database.js';
import { shopDefinition } from '../testing/shop-model.js';
import { compileSummary, type CompiledSummary } from './compile-summary.js';
import { readFigures } from './write-summary.js';

const withValues = {
  ...shopDefinition,
  records: [
    ...(shopDefinition.records ?? []),
    {
      id: 'VALUE',
      table: 'value',
      identifier: ['ID'],
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' as const },
        { id: 'WHOLE', column: 'whole', type: 'integer' as const },
        { id: 'EXACT', column: 'exact', type: 'float' as const },
        { id: 'ROUNDED', column: 'rounded', type: 'float' as const },
        { id: 'WORD', column: 'word' },
        { id: 'DAY', column: 'day', type: 'date' as const },
        { id: 'SURE', column: 'sure', type: 'boolean' as const },
      ],
    },
  ],
};
const checked = checkModel(withValues, new Map());

type Asked = QueryMembers & { readonly excluded?: readonly string[] };

const compile = ({ excluded = [], ...question }: Asked, caller: QueryCaller = fullAccessCaller) => {
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const nothing = { fields: 'all', kpis: [], filterIds: [], filterExpressions: [], distinct: false } as const;
  const sample = { ...nothing, page: 0, pageSize: 2, ...question };
  return compileSummary(createCallerView(checked, caller), sample, excluded, { schema: 'shop' });
};
const compiled = (asked: Asked, caller?: QueryCaller): CompiledSummary => {
  const summary = compile(asked, caller);
  if (!summary.ok) throw new Error(summary.failure.detail);
  return summary.value;
};
const refusal = (asked: Asked): string => {
  const summary = compile(asked);
  if (summary.ok) return '';
  const { code, detail, faults = [] } = summary.failure;
  return [code, detail, ...faults.slice(1).map(({ message }) => message)].join(' | ');
};

let shop: ShopDatabase;
beforeAll(async () => {
  shop = await openShopDatabase();
  await shop.client.query(`create table shop.value (id bigint primary key, whole bigint, exact numeric,
    rounded double precision, word text collate "C", day date, sure boolean)`);
});
afterAll(() => shop?.end());

type Summary = {
  readonly rows: string | null | undefined;
  readonly sample: readonly (readonly (string | null)[])[];
  readonly figures: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
  readonly tops: Readonly<Record<string, readonly (string | null)[] | undefined>>;
};

const summarise = async ({ sample, figures, tops }: CompiledSummary): Promise<Summary> => {
  const told: Record<string, Record<string, string | null>> = {};
  let rows: string | null | undefined;
  for (const statement of figures) {
    const [row = []] = await shop.run(statement);
    rows = row[0];
    let place = 1;
    for (const { id, figures } of statement.fields) {
      told[id] = Object.fromEntries(readFigures(figures, row.slice(place, place + figures.length)));
      place += figures.length;
    }
  }
  const found: Record<string, readonly (string | null)[] | undefined> = {};
  for (const top of tops) [found[top.field]] = await shop.run(top);
  return { rows, sample: await shop.run(sample.rows), figures: told, tops: found };
};

const cases: readonly {
  readonly title: string;
  readonly asked: Asked;
  readonly caller?: QueryCaller;
  readonly told: Summary;
}[] = [
  {
    title: 'all fields of a record, by its attributes alone',
    asked: { record: 'ITEM' },
    told: {
      rows: '6',
      sample: [
        ['A', '1', '100', 'Pump', '2026-01-05', 'large', 'f'],
        ['A', '2', '50.5', 'Seal', null, 'small', 'f'],
      ],
      figures: {
        ORDER_NO: { count: '6' },
        ITEM_NO: {
          ...{ count: '6', mean: '1.1666666666666667', std: '0.40824829046386301637', min: '1', max: '2' },
          ...{ '25_percentile': '1', '50_percentile': '1', '75_percentile': '1' },
        },
        AMOUNT: {
          ...{ count: '6', mean: '229.5833333333333333', std: '383.861487605447', min: '7', max: '1000' },
          ...{ '25_percentile': '27.625', '50_percentile': '75.25', '75_percentile': '175' },
        },
        PRODUCT: { count: '5' },
        DUE: { count: '4' },
      },
      // Pump and Seal are there twice.
      tops: { ORDER_NO: ['A', '2', '5'], PRODUCT: ['Pump', '2', '3'], DUE: ['2026-01-04', '1', '4'] },
    },
  },
  {
    title: 'the fields that are named and not left out, over the rows that match',
    asked: {
      record: 'ORDER',
      fields: ['CUSTOMER', 'MADE', 'ORDER_NO', 'FREIGHT'],
      excluded: ['FREIGHT', 'MADE'],
      filterExpressions: ["CUSTOMER.CITY eq 'Rome'"],
      filterIds: ['DEAR'],
    },
    told: {
      rows: '2',
      sample: [
        ['1', 'A'],
        ['1', 'B'],
      ],
      figures: {
        CUSTOMER: {
          ...{ count: '2', mean: '1.00000000000000000000', std: '0', min: '1', max: '1' },
          ...{ '25_percentile': '1', '50_percentile': '1', '75_percentile': '1' },
        },
        ORDER_NO: { count: '2' },
      },
      tops: { ORDER_NO: ['A', '1', '2'] },
    },
  },
  {
    title: 'only the rows that the caller sees, itself and behind a filter',
    asked: { record: 'CUSTOMER', fields: ['NAME', 'PLACE', 'CITY'] },
    caller: romeCaller,
    told: {
      rows: '1',
      sample: [['Ada', 'ROME', 'Rome']],
      figures: { NAME: { count: '1' }, CITY: { count: '1' } },
      tops: { NAME: ['Ada', '1', '1'], CITY: ['Rome', '1', '1'] },
    },
  },
  {
    title: 'no rows',
    asked: { record: 'INVOICE', fields: ['TOTAL', 'PAID', 'ORDER_NO'], filterExpressions: ['ID gt 100'] },
    told: {
      rows: '0',
      sample: [],
      figures: {
        TOTAL: {
          ...{ count: '0', mean: null, std: null, min: null, max: null },
          ...{ '25_percentile': null, '50_percentile': null, '75_percentile': null },
        },
        PAID: { count: '0' },
        ORDER_NO: { count: '0' },
      },
      tops: { ORDER_NO: undefined },
    },
  },
  {
    title: 'fields that are no attributes by nothing, and the rows nevertheless',
    asked: { record: 'ITEM', fields: ['SIZE', 'UNPLANNED'], pageSize: 0 },
    told: { rows: '6', sample: [], figures: {}, tops: {} },
  },
];

describe('the summary of a record', () => {
  it.each(cases)('returns the expected figures for $title', async ({ asked, caller, told }) => {
    expect(await summarise(compiled(asked, caller))).toEqual(told);
  });

  it('compiles to the SQL of the golden file, which the cases above execute', () => {
    const texts = cases.map(({ title, asked, caller }) => {
      const { figures, tops } = compiled(asked, caller);
      const statements = [...figures, ...tops].map(({ text, values }) => `${text};\n-- ${JSON.stringify(values)}\n`);
      return `-- ${title}\n${statements.join('')}`;
    });
    const golden = join(import.meta.dirname, 'summaries.golden.sql');
    if (!existsSync(golden)) writeFileSync(golden, texts.join('\n'));
    expect(texts.join('\n')).toBe(readFileSync(golden, 'utf8'));
  });

  it.each<[Asked, string]>([
    [{ record: 'ITME' }, 'KM_RECORD_NOTFOUND | There is no record ITME in shop. Did you mean ITEM?'],
    [
      { record: 'ITEM', fields: ['AMUONT'], excluded: ['DUEE'] },
      'KM_FIELD_NOTFOUND | There is no field AMUONT in ITEM. Did you mean AMOUNT? | There is no field DUEE in ITEM. Did you mean DUE?',
    ],
    [
      { record: 'ITEM', fields: ['DUE', 'DUE'], excluded: ['DUE'] },
      'GENERAL_PARAMETER_MISSMATCH | Every field is left out; name one at least that excludeFields does not name.',
    ],
    [{ record: 'ITEM', filterIds: ['DEER'] }, 'KM_FILTER_NOTFOUND | There is no filter DEER. Did you mean DEAR?'],
    [
      { record: 'ITEM', filterExpressions: ['SALES gt 1'] },
      'KM_FILTER_TYPE | filterExpr (SALES gt 1), character 1: SALES is a KPI; KPIs can be filtered at the level of the model only.',
    ],
  ])('is refused of %j', (asked, told) => {
    expect(refusal(asked)).toBe(told);
  });

  it('rejects a filter without a join path', () => {
    expect(refusal({ record: 'ISLAND', filterIds: ['DEAR'] })).toMatch(/^KM_JOIN_NOTFOUND \| .*ISLAND/);
  });

  it('is split into statements with a limited number of columns and sorts', async () => {
    const types = ['boolean', 'integer'] as const;
    const attributes = types.flatMap((type) =>
      Array.from({ length: type === 'integer' ? 12 : 401 }, (_, index) => ({
        id: `${type}${index}`,
        column: 'id',
        type,
      })),
    );
    const records = [{ id: 'W', table: 'island', identifier: ['integer0'], attributes }];
    const wide = checkModel({ kind: 'KnowledgeModel', id: 'w', source: { schema: 's' }, records }, new Map());
    if (!wide.ok) throw new Error(JSON.stringify(wide.faults));
    const sample = { record: 'W', kpis: [], filterIds: [], filterExpressions: [], distinct: false, page: 0 } as const;
    const view = createCallerView(wide, fullAccessCaller);
    const summary = compileSummary(view, { ...sample, fields: 'all', pageSize: 0 }, [], { schema: 'shop' });
    if (!summary.ok) throw new Error(summary.failure.detail);
    const { figures } = summary.value;
    expect(figures.map(({ fields }) => fields.length)).toEqual([200, 200, 6, 5, 2]);
    const asked = figures.flatMap(({ fields }) => fields.map(({ id }) => id));
    expect(asked).toEqual(attributes.map(({ id }) => id));
    for (const statement of figures)
      expect((await shop.run(statement))[0]).toHaveLength(
        1 + statement.fields.flatMap((field) => field.figures).length,
      );
  });
});

/** The same numbers in every run. */
const randomly = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const figuresOfNumbers = (values: readonly number[]) => {
  const sorted = values.toSorted((left, right) => left - right);
  const mean = sumOf(values) / values.length;
  const std = Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
  const percentile = (fraction: number): number => {
    const place = fraction * (sorted.length - 1);
    const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return low + (high - low) * (place - Math.floor(place));
  };
  return {
    ...{ count: values.length, mean, std, min: Math.min(...values), max: Math.max(...values) },
    ...{ '25_percentile': percentile(0.25), '50_percentile': percentile(0.5), '75_percentile': percentile(0.75) },
  };
};

const topOf = (values: readonly string[]): readonly string[] => {
  const counts = Map.groupBy(values, (value) => value);
  const frequency = Math.max(...[...counts.values()].map((same) => same.length));
  const [top] = [...counts]
    .filter(([, same]) => same.length === frequency)
    .map(([value]) => Buffer.from(value))
    .sort(Buffer.compare);
  return [String(top), String(frequency), String(counts.size)];
};

describe('the figures of random values', () => {
  const words = ['a', 'A', 'b', 'Z', 'z', 'ä', '名', '😀', '\uffee', '', ' ', "o'clock"];
  const numericFields = { WHOLE: 1, EXACT: 2, ROUNDED: 3 } as const;

  it.each([1, 2, 3, 4, 5, 6])('are those of the TypeScript evaluation (seed %i)', async (seed) => {
    const random = randomly(seed * 7_919);
    const size = 3 + Math.floor(random() * 60);
    const some = <Value>(value: Value): Value | null => (random() < 0.2 ? null : value);
    const rows = Array.from({ length: size }, (_, id) => [
      id,
      some(Math.floor(random() * 20) - 10),
      some(Math.round(random() * 1e6) / 100),
      some((random() - 0.5) * 1e5),
      some(words[Math.floor(random() * words.length)] ?? ''),
      some(`2026-0${1 + Math.floor(random() * 2)}-0${1 + Math.floor(random() * 3)}`),
      some(random() < 0.5),
    ]);
    await shop.client.query('truncate shop.value');
    for (const row of rows) await shop.client.query('insert into shop.value values ($1, $2, $3, $4, $5, $6, $7)', row);
    const { figures, tops, rows: total } = await summarise(compiled({ record: 'VALUE' }));
    const valuesAt = (place: number) => rows.flatMap((row) => row[place] ?? []);
    expect(total).toBe(String(size));
    for (const [field, place] of Object.entries(numericFields)) {
      const expected = figuresOfNumbers(valuesAt(place).map(Number));
      for (const [figure, value] of Object.entries(expected))
        expect([field, figure, Number(figures[field]?.[figure])]).toEqual([field, figure, expect.closeTo(value, 5)]);
    }
    expect([tops['WORD'], tops['DAY']]).toEqual([topOf(valuesAt(4).map(String)), topOf(valuesAt(5).map(String))]);
    expect(figures['SURE']).toEqual({ count: String(valuesAt(6).length) });
    expect(Object.keys(tops)).toEqual(['WORD', 'DAY']);
  });
});
