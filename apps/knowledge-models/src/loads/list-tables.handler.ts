/** The tables of a team and the loads into them. Only for who may administer it; for everybody else the team does not exist. */
import { Controller } from '@nestjs/common';
import { canAdminister, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { listLoads, listTables } from '@tessera/contracts/knowledge-models';
import { fail, type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { runInTenantEntityTransaction } from '@tessera/persistence/data-source';
import { DataSource } from 'typeorm';
import { findTable } from './load.repository.js';
import { readLoads, readTablePage } from './table-list.repository.js';

const loadsMax = 100;

@Controller()
export class ListTablesHandler {
  constructor(private readonly source: DataSource) {}

  @Serves(listTables)
  list(
    { team, after, pageSize }: RequestOf<typeof listTables>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof listTables>>> {
    if (!canAdminister(caller, team)) return Promise.resolve(notFound);
    return mapDatabaseErrors(async () => {
      // One more than a page shows whether there is another page.
      const found = await runInTenantEntityTransaction(this.source, team, (manager, client) =>
        readTablePage(manager, client, team, after, pageSize + 1),
      );
      const tables = found.slice(0, pageSize);
      const last = found.length > pageSize ? tables.at(-1) : undefined;
      return succeed({ tables, ...(last && { next: `${last.schema}.${last.id}` }) });
    });
  }

  @Serves(listLoads)
  loads(key: RequestOf<typeof listLoads>, { caller }: OperationContext): Promise<Result<ReplyOf<typeof listLoads>>> {
    if (!canAdminister(caller, key.team)) return Promise.resolve(notFound);
    return mapDatabaseErrors(() =>
      runInTenantEntityTransaction(this.source, key.team, async (manager, client) =>
        (await findTable(manager, key)) ? succeed({ loads: await readLoads(client, key, loadsMax) }) : notFound,
      ),
    );
  }
}

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
