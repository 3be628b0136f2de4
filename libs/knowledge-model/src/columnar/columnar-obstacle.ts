/** Why PostgreSQL alone can answer a question, as `explain` and metrics say it. */
export type ColumnarObstacle =
  /** It asks for rows, not for groups. */
  | 'rows'
  /** Its tables are in another database. */
  | 'external-database'
  /** A table that it reads is not stored by column, or not yet. */
  | 'no-table'
  /** It reads a column that could not be stored exactly. */
  | 'column'
  /** It multiplies rows or looks through related ones. */
  | 'related-rows'
  /** It computes what engines compute differently, or might. */
  | 'expression'
  /** A result may have more digits than engines compute exactly with. */
  | 'digits'
  /** It compares with a value of an unusual form, or with too many. */
  | 'values';

/** Thrown by what translates, at any depth, and caught where a question is compiled. */
export class ColumnarObstacleError extends Error {
  constructor(readonly obstacle: ColumnarObstacle) {
    super(`Not to be answered by column: ${obstacle}.`);
    this.name = 'ColumnarObstacleError';
  }
}

export const stopAt = (obstacle: ColumnarObstacle): never => {
  throw new ColumnarObstacleError(obstacle);
};
