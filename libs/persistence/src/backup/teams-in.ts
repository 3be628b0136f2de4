import type pg from 'pg';
import { quotedTable } from './generation-shape.js';
import { teamSchemaTable, type KeptTable } from './kept-tables.js';

/** In the order of their names; `among`: only of these. */
export const teamsIn = async (
  client: pg.ClientBase,
  tables: readonly KeptTable[],
  among?: readonly string[],
): Promise<readonly string[]> => {
  const places = [teamSchemaTable, ...tables.map(({ schema, name }) => quotedTable({ physical: schema, name }))];
  const condition = '$1::text[] is null or tenant = any($1)';
  const { rows } = await client.query<{ team: string }>(
    `select team from (${places.map((place) => `select distinct tenant as team from ${place} where ${condition}`).join(' union ')}) as found
     order by team collate "C"`,
    [among ?? null],
  );
  return rows.map(({ team }) => team);
};
