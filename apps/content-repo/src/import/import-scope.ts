/**
 * Whose storage an import writes to, and the two ways in which its statements run: batch by batch, or over all of it.
 * Refuses: statements themselves.
 */
import type { ChangeScope } from '../change/change-scope.js';

export type ImportScope = ChangeScope & { readonly importId: string };

/**
 * Runs statements that look at the whole storage. The tables may have been filled a moment ago, without statistics yet, and
 * a plan for the one row that the planner then expects would compare everything with everything.
 */
export const overAll = async <T>({ client }: Pick<ChangeScope, 'client'>, work: () => Promise<T>): Promise<T> => {
  await client.query(`set local enable_nestloop = off`);
  const value = await work();
  await client.query(`set local enable_nestloop = on`);
  return value;
};
