/** Requests of a spec to the OData handlers, as the gateway sends them. */
import type { ByteReply } from '@tessera/contracts';
import {
  countODataEntries,
  readODataEntries,
  readODataEntry,
  readODataMetadata,
  readODataService,
} from '@tessera/contracts/knowledge-models';
import type { Result } from '@tessera/failures';
import { CallerModels } from '../catalog/caller-models.js';
import { ODataDocumentsHandler } from '../odata/odata-documents.handler.js';
import { ODataEntriesHandler } from '../odata/odata-entries.handler.js';
import { TokenKey } from '../odata/token-key.repository.js';
import { QueryPreparer } from '../queries/query-preparer.js';
import { answered, callerOf, type Json, type Trial, type TrialCaller } from './trial.js';
import type { Asking } from './asking.js';

type Answer = Promise<Result<ByteReply>>;
type Options = Readonly<Record<string, unknown>>;
type Asker = { readonly team: string } & TrialCaller;

export type AskingOData = {
  readonly service: (asker: Asker, model: string, options?: Options) => Answer;
  readonly metadata: (asker: Asker, model: string, options?: Options) => Answer;
  readonly page: (asker: Asker, model: string, record: string, options?: Options) => Answer;
  readonly entry: (asker: Asker, model: string, record: string, key: string, options?: Options) => Answer;
  readonly count: (asker: Asker, model: string, record: string, options?: Options) => Answer;
};

/** Beside the handlers of `asking`, over its cache. */
export const openAskingOData = (trial: Trial, { execution, runner }: Asking): AskingOData => {
  const callerModels = new CallerModels(trial.catalogs);
  const models = new QueryPreparer(callerModels, trial.pools, execution.external);
  const entries = new ODataEntriesHandler(models, runner, new TokenKey(trial.pools));
  const documents = new ODataDocumentsHandler(callerModels);
  const contextOf = ({ team, ...caller }: Asker) => callerOf(team, caller);
  return {
    service: (asker, km_id, options) =>
      documents.service(readODataService.request.parse({ km_id, ...options }), contextOf(asker)),
    metadata: (asker, km_id, options) =>
      documents.metadata(readODataMetadata.request.parse({ km_id, ...options }), contextOf(asker)),
    page: (asker, km_id, record_id, options) =>
      entries.page(readODataEntries.request.parse({ km_id, record_id, ...options }), contextOf(asker)),
    entry: (asker, km_id, record_id, key, options) =>
      entries.entry(readODataEntry.request.parse({ km_id, record_id, key, ...options }), contextOf(asker)),
    count: (asker, km_id, record_id, options) =>
      entries.count(countODataEntries.request.parse({ km_id, record_id, ...options }), contextOf(asker)),
  };
};

/** The options of a next link, as the gateway would read them from its address. */
export const optionsOfLink = (link: string): Options => {
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
export const allPages = async (
  ask: (options: Options) => Answer,
  options: Options,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly Json[]> => {
  const { prefer } = options;
  const pages: Json[] = [await answered(ask(options))];
  for (let link = pages[0]['@odata.nextLink']; link !== undefined; link = pages.at(-1)['@odata.nextLink']) {
    if (pages.length === pagesMax) throw new Error('The pages have no end.');
    await between();
    pages.push(await answered(ask({ ...optionsOfLink(link), ...(prefer !== undefined && { prefer }) })));
  }
  return pages;
};
