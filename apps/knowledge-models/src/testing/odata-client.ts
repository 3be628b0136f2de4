/** Requests of a spec to the OData handlers, as the gateway sends them. */
import type { ByteReply } from '@tessera/contracts';
import {
  countODataEntries,
  countODataLink,
  readODataEntries,
  readODataEntry,
  readODataLink,
  readODataLinkPart,
  readODataMetadata,
  readODataService,
  readODataValue,
} from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { CallerModels } from '../catalog/caller-models.js';
import { ODataDocumentsHandler } from '../odata/odata-documents.handler.js';
import { ODataEntriesHandler } from '../odata/odata-entries.handler.js';
import { ODataLinksHandler } from '../odata/odata-links.handler.js';
import { TokenKeyRepository } from '../odata/token-key.repository.js';
import { readJsonAnswer, callerContextOf, type Json, type Fixture, type TestCaller } from './fixture.js';
import type { QueryClient } from './query-client.js';

type Answer = Promise<Result<ByteReply>>;
type Options = Readonly<Record<string, unknown>>;
type TeamCaller = { readonly team: string } & TestCaller;

export type ODataClient = {
  readonly service: (asker: TeamCaller, model: string, options?: Options) => Answer;
  readonly metadata: (asker: TeamCaller, model: string, options?: Options) => Answer;
  readonly page: (asker: TeamCaller, model: string, record: string, options?: Options) => Answer;
  readonly entry: (asker: TeamCaller, model: string, record: string, key: string, options?: Options) => Answer;
  /** `path`: behind the set, as in `LINE_entries('A')/ORDER/$count`: `[record, key, step]` and perhaps a further part. */
  readonly follow: (asker: TeamCaller, model: string, path: readonly string[], options?: Options) => Answer;
  readonly count: (asker: TeamCaller, model: string, record: string, options?: Options) => Answer;
};

/** The OData handlers, over the cache of the query client. */
export const openODataClient = (fixture: Fixture, { models, runner, evidence }: QueryClient): ODataClient => {
  const callerModels = new CallerModels(fixture.catalogs);
  const entries = new ODataEntriesHandler(models, runner, new TokenKeyRepository(fixture.pools), evidence);
  const links = new ODataLinksHandler(models, runner, new TokenKeyRepository(fixture.pools));
  const documents = new ODataDocumentsHandler(callerModels);
  const contextOf = ({ team, ...caller }: TeamCaller) => callerContextOf(team, caller);
  return {
    service: (asker, km_id, options) =>
      documents.service(readODataService.request.parse({ km_id, ...options }), contextOf(asker)),
    metadata: (asker, km_id, options) =>
      documents.metadata(readODataMetadata.request.parse({ km_id, ...options }), contextOf(asker)),
    page: (asker, km_id, record_id, options) =>
      entries.page(readODataEntries.request.parse({ km_id, record_id, ...options }), contextOf(asker)),
    entry: (asker, km_id, record_id, key, options) =>
      entries.entry(readODataEntry.request.parse({ km_id, record_id, key, ...options }), contextOf(asker)),
    follow: (asker, km_id, [record_id, key, step, part], options) => {
      const request = { km_id, record_id, key, step, ...options };
      const context = contextOf(asker);
      switch (part) {
        case undefined:
          return links.link(readODataLink.request.parse(request), context);
        case '$count':
          return links.count(countODataLink.request.parse(request), context);
        case '$value':
          return links.value(readODataValue.request.parse(request), context);
        default:
          return links.part(readODataLinkPart.request.parse({ ...request, part }), context);
      }
    },
    count: (asker, km_id, record_id, options) =>
      entries.count(countODataEntries.request.parse({ km_id, record_id, ...options }), contextOf(asker)),
  };
};

/** The options of a next link, as the gateway would read them from its address. */
export const parseLinkOptions = (link: string): Options => {
  const { searchParams } = new URL(link);
  const options = Object.fromEntries([...searchParams].filter(([name]) => name !== 'filterid'));
  const filterid = searchParams.getAll('filterid');
  return {
    ...options,
    ...('$top' in options && { $top: Number(options['$top']) }),
    ...('$count' in options && { $count: options['$count'] === 'true' }),
    ...(filterid.length > 0 && { filterid }),
  };
};

const pagesMax = 1_000;

/** All pages from the first on, by the link of each to the next; `between` goes before each further page. */
export const readAllPages = async (
  ask: (options: Options) => Answer,
  options: Options,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly Json[]> => {
  const { prefer } = options;
  const pages: Json[] = [await readJsonAnswer(ask(options))];
  for (let link = pages[0]['@odata.nextLink']; link !== undefined; link = pages.at(-1)['@odata.nextLink']) {
    if (pages.length === pagesMax) throw new Error('The pages have no end.');
    await between();
    pages.push(await readJsonAnswer(ask({ ...parseLinkOptions(link), ...(prefer !== undefined && { prefer }) })));
  }
  return pages;
};
