/**
 * A total order: what was asked for, then what makes it stable, in the direction of the last item.
 * Refuses: to leave two rows without an order between them.
 */
import type { SqlCollation } from '@tessera/sql';
import type { TypedExpression } from '../expression/typed-expression.js';
import type { CallerView } from '../query/caller-view.js';
import type { ResolvedSort } from '../query/resolved-query.js';
import type { OffsetPage, PlannedOrder } from './query-plan.js';

/** What a row is told from others by, when the sort does not. */
export type TieBreak = Omit<PlannedOrder, 'descending'>;

/** `nullable`: whether the column of that place may be null. */
export const planOrder = (
  sort: readonly ResolvedSort[],
  nullable: (column: number) => boolean,
  ties: readonly TieBreak[],
): readonly PlannedOrder[] => {
  const sorted = sort.map(({ column, descending }) => ({ ...columnOrder(column, nullable(column)), descending }));
  const descending = sort.at(-1)?.descending ?? false;
  const isSorted = ({ by }: TieBreak): boolean =>
    by.kind === 'position' && sort.some(({ column }) => column + 1 === by.position);
  return [...sorted, ...ties.filter((tie) => !isSorted(tie)).map((tie) => ({ ...tie, descending }))];
};

export const columnOrder = (column: number, nullable: boolean): TieBreak => ({
  by: { kind: 'position', position: column + 1 },
  nullable,
});

/**
 * Texts come in the order of their code points. Columns of the team's tables have that order already, and so have their
 * indexes; what a formula makes of them may have not, nor have the columns of another database.
 */
export const collationOf = (
  { model }: CallerView,
  { kind, type }: Pick<TypedExpression, 'kind' | 'type'>,
): SqlCollation | undefined => {
  if (type !== 'string') return undefined;
  if (model.source.database !== undefined) return 'C';
  return kind === 'column' ? undefined : 'pg_c_utf8';
};

const rowsMax = 2n ** 63n - 1n;

/** A page behind what a database can count to is empty, and so is the last one that it can count to. */
export const planPage = ({ page, pageSize }: { readonly page: number; readonly pageSize: number }): OffsetPage => {
  const offset = BigInt(page) * BigInt(pageSize);
  return { kind: 'offset', size: pageSize, offset: offset > rowsMax ? rowsMax : offset };
};
