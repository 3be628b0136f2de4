/**
 * A named statement that runs as one tenant in one round trip: the tenant setting and the statement travel in the same
 * flight up to one Sync, which PostgreSQL runs as one implicit transaction; the setting ends with it.
 * Refuses: statements without a name (they would be parsed each time) and any setting that outlives the statement.
 */
import pg from 'pg';
import type { Release } from '@tessera/fair-queue';
import { acquireTurn, connectionQueue } from './acquire-fairly.js';
import { sendSettings } from './local-settings.js';

export type NamedStatement = {
  /** Unique for its text; prepared once per connection. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
};

/** What pg.Query does, though its types do not say so. */
type Preparing = { prepare(connection: pg.Connection): void };
const prepareStatement = (pg.Query.prototype as unknown as Preparing).prepare;

class TenantQuery extends pg.Query {
  constructor(
    private readonly tenant: string,
    { name, text, values }: NamedStatement,
  ) {
    super({ name, text, values: [...values] });
  }

  prepare(connection: pg.Connection): void {
    sendSettings(connection, [['app.tenant', this.tenant]]);
    prepareStatement.call(this, connection);
  }
}

/** What the query's `callback` is given: the result of the setting and that of the statement. */
type Outcome<Row> = readonly { readonly rows: readonly Row[] }[];
type WithCallback<Row> = { callback: (error: Error | null, outcome: Outcome<Row>) => void };

/**
 * The rows of a statement, whose columns `Row` names as the statement does, read as `tenant` on a connection of the tenant's
 * share. Rejects with the error of pg; `databaseFailure` tells whether it is an outage.
 */
export const readAsTenant = <Row extends object>(
  pool: pg.Pool,
  tenant: string,
  statement: NamedStatement,
): Promise<readonly Row[]> => {
  const query = new TenantQuery(tenant, statement);
  const endTurn = connectionQueue(pool).tryAcquire(tenant);
  return endTurn ? run(pool, query, endTurn) : acquireTurn(pool, tenant).then((acquired) => run(pool, query, acquired));
};

const run = <Row>(pool: pg.Pool, query: TenantQuery, endTurn: Release): Promise<readonly Row[]> =>
  new Promise((resolve, reject) => {
    pool.connect((connectError, client, release) => {
      if (connectError || !client) {
        endTurn();
        return reject(connectError ?? new Error('The pool gave no connection.'));
      }
      (query as unknown as WithCallback<Row>).callback = (error, outcome) => {
        release(error && isFatal(error) ? error : undefined);
        endTurn();
        if (error) return reject(error);
        resolve(outcome.at(-1)?.rows ?? []);
      };
      client.query(query);
    });
  });

/**
 * A failed statement leaves a usable connection behind; anything else does not, nor does a connection on which a
 * statement is not prepared that should be.
 */
export const isFatal = (error: Error): boolean =>
  !(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.code === unknownStatement;
const unknownStatement = '26000';
