/** Calls of a spec to the operations of tools, as the tool gateway makes them; beside them the questions of everybody else. */
import { describeForTools, getInsights, loadData, searchData } from '@tessera/contracts/knowledge-models';
import type { ByteReply, ReplyOf } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { CallerModels } from '../catalog/caller-models.js';
import { QueryPreparer } from '../queries/query-preparer.js';
import { DescribeForToolsHandler } from '../tools/describe-for-tools.handler.js';
import { GetInsightsHandler } from '../tools/get-insights.handler.js';
import { LoadDataHandler } from '../tools/load-data.handler.js';
import { SearchDataHandler } from '../tools/search-data.handler.js';
import { ValueSearch } from '../tools/value-search.js';
import { openAsking, type Asking, type ExecutionOptions } from './asking.js';
import { callerOf, type Trial, type TrialCaller } from './trial.js';

type Asker = { readonly team: string } & TrialCaller;
type Arguments = Readonly<Record<string, unknown>>;
type Answer = Promise<Result<ByteReply>>;

export type AskingTools = Asking & {
  readonly describe: (asker: Asker, model: string, known?: string) => Promise<Result<ReplyOf<typeof describeForTools>>>;
  readonly load: (asker: Asker, model: string, asked: Arguments) => Answer;
  readonly search: (asker: Asker, model: string, asked: Arguments) => Answer;
  readonly insights: (asker: Asker, model: string, asked: Arguments) => Answer;
};

export const openAskingTools = (
  trial: Trial,
  environment: Readonly<Record<string, string>> = {},
  options: ExecutionOptions = {},
): AskingTools => {
  const asking = openAsking(trial, environment, options);
  const callers = new CallerModels(trial.catalogs);
  const models = new QueryPreparer(callers, trial.pools, asking.execution.external);
  const describing = new DescribeForToolsHandler(callers, trial.pools);
  const loading = new LoadDataHandler(models, asking.runner);
  const searching = new SearchDataHandler(models, new ValueSearch(asking.runner));
  const finding = new GetInsightsHandler(models, asking.runner);
  const contextOf = ({ team, ...caller }: Asker) => callerOf(team, caller);
  return {
    ...asking,
    describe: (asker, km_id, known) =>
      describing.describe(describeForTools.request.parse({ km_id, known }), contextOf(asker)),
    load: (asker, km_id, asked) => loading.load(loadData.request.parse({ km_id, arguments: asked }), contextOf(asker)),
    search: (asker, km_id, asked) =>
      searching.search(searchData.request.parse({ km_id, arguments: asked }), contextOf(asker)),
    insights: (asker, km_id, asked) =>
      finding.find(getInsights.request.parse({ km_id, arguments: asked }), contextOf(asker)),
  };
};
