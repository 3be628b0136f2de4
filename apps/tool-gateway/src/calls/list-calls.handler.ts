/** The log of calls: of a team only for who may administer it (for everybody else the team does not exist), one's own for all. */
import { Controller } from '@nestjs/common';
import { canAdminister, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { listCalls, listOwnCalls } from '@tessera/contracts/tool-gateway';
import { fail, type Result, succeed } from '@tessera/failures';
import { type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { firstIdAt } from '@tessera/service-kit';
import { DataSource } from 'typeorm';
import { CallLog, readCalls } from './call-log.repository.js';

type CallPage = Promise<Result<ReplyOf<typeof listCalls>>>;

@Controller()
export class ListCallsHandler {
  constructor(
    private readonly source: DataSource,
    private readonly log: CallLog,
  ) {}

  @Serves(listCalls)
  list({ team, ...filter }: RequestOf<typeof listCalls>, { caller }: OperationContext): CallPage {
    return canAdminister(caller, team) ? this.#read(team, filter) : Promise.resolve(assetNotFound);
  }

  @Serves(listOwnCalls)
  listOwn(filter: RequestOf<typeof listOwnCalls>, { caller }: OperationContext): CallPage {
    return this.#read(caller.team, { ...filter, subject: caller.subject });
  }

  #read(team: string, { pageSize, from, to, after, ...filter }: Omit<RequestOf<typeof listCalls>, 'team'>): CallPage {
    // What cannot be stored is in no row.
    if (Object.values(filter).some((text) => text?.includes('\u0000'))) return Promise.resolve(succeed({ calls: [] }));
    return mapDatabaseErrors(async () => {
      const before = [...(after === undefined ? [] : [after]), ...(to === undefined ? [] : [firstIdAt(to)])];
      const since = from === undefined ? undefined : firstIdAt(from);
      // Who calls and lists at the same replica sees the call.
      await this.log.flush(team);
      // One more than a page shows whether there is another page.
      const found = await readCalls(this.source, team, { ...filter, from: since, before }, pageSize + 1);
      const calls = found.slice(0, pageSize);
      const next = found.length > pageSize ? calls.at(-1)?.callId : undefined;
      return succeed({ calls, ...(next !== undefined && { next }) });
    });
  }
}

const assetNotFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
