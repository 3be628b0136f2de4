/** Tables of the rollups of a model, made as the platform makes them, on the connection of a spec. */
import type pg from 'pg';
import type { CheckedRollup } from '../../query/caller-view.js';
import type { FindRollupTable, RollupAbsence } from '../../rollup/compile-rollup-query.js';
import type { RollupTable } from '../../rollup/fit-rollup.js';
import { openRollupGrains, printRollupStatements, type RollupGrain } from '../../rollup/rollup-grain.js';

const groupsMax = 100_000;

/** Finds them by what they hold. */
export const makeRollups = async (
  client: pg.Client,
  rollups: readonly CheckedRollup[],
  schema: string,
): Promise<FindRollupTable> => {
  const tables = new Map<string, RollupTable | RollupAbsence>();
  for (const grain of rollups.flatMap((rollup) => openRollupGrains(rollup, schema))) {
    const name = `rollup ${tables.size + 1}`;
    if (!tables.has(grain.fingerprint)) tables.set(grain.fingerprint, await makeTable(client, grain, { schema, name }));
  }
  return (grain) => tables.get(grain.fingerprint) ?? 'not-made';
};

const makeTable = async (
  client: pg.Client,
  grain: RollupGrain,
  place: { readonly schema: string; readonly name: string },
): Promise<RollupTable | RollupAbsence> => {
  const { create, check, tidy } = printRollupStatements(grain, place, groupsMax);
  const { rowCount } = await client.query(create.text, [...create.values]);
  const { rows: checked } = await client.query<{ isWhole: boolean; hasFractions: boolean; mixed: string[] }>(check);
  const [found] = checked;
  if (found?.hasFractions === true) return 'failed';
  if (!found?.isWhole) return 'multiplied';
  const text = tidy(found.mixed);
  if (text !== undefined) await client.query(text);
  const { rows } = await client.query<{ name: string; type: string }>(
    `select a.attname::text as name, format_type(a.atttypid, null) as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2 and a.attnum > 0 and not a.attisdropped`,
    [place.schema, place.name],
  );
  return { name: place.name, columns: new Map(rows.map(({ name, type }) => [name, type])), rows: rowCount ?? 0 };
};
