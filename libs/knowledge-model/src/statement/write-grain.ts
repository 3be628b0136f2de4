/**
 * The rows of one grain, ready to be aggregated. Where related rows multiply them, each is taken once for each combination
 * of the keys before anything is computed.
 * Refuses: KPIs over several grains; they are put together of aggregates (write-groups.ts).
 */
import { column, type SqlColumn, type SqlExpression } from '@tessera/sql';
import type { TypedExpression } from '../expression/typed-expression.js';
import type { GrainPlan, PlannedColumn } from '../plan/query-plan.js';
import type { AskedField } from '../query/query-field.js';
import {
  columnOf,
  type FieldPlaces,
  placesIn,
  withCollation,
  writeField,
  writeFormula,
  type Writing,
} from './write-fields.js';
import { writeSource, type WrittenSource } from './write-source.js';

export type WrittenGrain = {
  readonly keys: readonly SqlExpression[];
  /** Of a formula that aggregates. */
  readonly compile: (formula: TypedExpression) => SqlExpression;
  /** After every formula is compiled, since it holds what these read. */
  readonly source: () => WrittenSource;
};

type Keys = readonly PlannedColumn<AskedField>[];

export const writeGrain = (writing: Writing, grain: GrainPlan, keys: Keys): WrittenGrain => {
  const places = placesIn(writing.view, grain.source);
  const written = keys.map(({ asked, collation }) => withCollation(writeField(asked, places), collation));
  if (grain.isMultiplied) return onceEach(writing, grain, written, places);
  return {
    keys: written,
    compile: (formula) => writeFormula(formula, places),
    source: () => writeSource(writing, grain.source),
  };
};

const alias = 'rows';

const onceEach = (
  writing: Writing,
  { source }: GrainPlan,
  keys: readonly SqlExpression[],
  places: FieldPlaces,
): WrittenGrain => {
  const { root } = source;
  const identifier = writing.view.model.recordById.get(root.record)?.identifier ?? [];
  const fixed: readonly SqlColumn[] = [
    ...identifier.map((id, at) => ({
      value: column(root.alias, columnOf(writing.view, root.record, id)),
      alias: `i${at + 1}`,
    })),
    ...keys.map((value, at) => ({ value, alias: `k${at + 1}` })),
  ];
  const read = new Map<string, SqlColumn & { readonly alias: string }>();
  const place = (record: string, name: string): SqlExpression => {
    const known = read.get(`${record}.${name}`) ?? { value: places.column(record, name), alias: `c${read.size + 1}` };
    read.set(`${record}.${name}`, known);
    return column(alias, known.alias);
  };
  return {
    keys: keys.map((_, at) => column(alias, `k${at + 1}`)),
    compile: (formula) => writeFormula(formula, { ...places, column: place }),
    source: () => ({
      from: {
        kind: 'query',
        query: {
          kind: 'select',
          distinct: true,
          columns: [...fixed, ...read.values()],
          ...writeSource(writing, source),
        },
        alias,
      },
    }),
  };
};
