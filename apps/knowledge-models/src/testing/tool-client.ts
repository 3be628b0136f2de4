/** Calls of a spec to the operations of tools, as the tool gateway makes them; beside them the questions of everybody else. */
import { describeModelForTools, getInsights, loadData, searchData } from '@tessera/contracts/knowledge-models';
import type { ByteReply, ReplyOf } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { CallerModels } from '../catalog/caller-models.js';
import { DescribeForToolsHandler } from '../tools/describe-for-tools.handler.js';
import { GetInsightsHandler } from '../tools/get-insights.handler.js';
import { InsightsReader } from '../tools/insights-reader.js';
import { LoadDataHandler } from '../tools/load-data.handler.js';
import { SearchDataHandler } from '../tools/search-data.handler.js';
import { ValueSearch } from '../tools/value-search.js';
import { openQueryClient, type QueryClient, type ExecutionOptions } from './query-client.js';
import { callerContextOf, type Fixture, type TestCaller } from './fixture.js';

type TeamCaller = { readonly team: string } & TestCaller;
type Arguments = Readonly<Record<string, unknown>>;
type Answer = Promise<Result<ByteReply>>;

export type ToolClient = QueryClient & {
  readonly describe: (
    asker: TeamCaller,
    model: string,
    known?: string,
  ) => Promise<Result<ReplyOf<typeof describeModelForTools>>>;
  readonly load: (asker: TeamCaller, model: string, asked: Arguments, prefer?: string) => Answer;
  readonly search: (asker: TeamCaller, model: string, asked: Arguments) => Answer;
  readonly insights: (asker: TeamCaller, model: string, asked: Arguments, prefer?: string) => Answer;
};

export const openToolClient = (
  fixture: Fixture,
  environment: Readonly<Record<string, string>> = {},
  options: ExecutionOptions = {},
): ToolClient => {
  const queryClient = openQueryClient(fixture, environment, options);
  const callers = new CallerModels(fixture.catalogs);
  const { models, runner, evidence } = queryClient;
  const describing = new DescribeForToolsHandler(callers, fixture.pools);
  const loading = new LoadDataHandler(models, runner, evidence);
  const searching = new SearchDataHandler(models, new ValueSearch(runner));
  const finding = new GetInsightsHandler(new InsightsReader(models, runner), evidence);
  const contextOf = ({ team, ...caller }: TeamCaller) => callerContextOf(team, caller);
  return {
    ...queryClient,
    describe: (asker, km_id, known) =>
      describing.describe(describeModelForTools.request.parse({ km_id, known }), contextOf(asker)),
    load: (asker, km_id, asked, prefer) =>
      loading.load(loadData.request.parse({ km_id, arguments: asked, prefer }), contextOf(asker)),
    search: (asker, km_id, asked) =>
      searching.search(searchData.request.parse({ km_id, arguments: asked }), contextOf(asker)),
    insights: (asker, km_id, asked, prefer) =>
      finding.find(getInsights.request.parse({ km_id, arguments: asked, prefer }), contextOf(asker)),
  };
};
