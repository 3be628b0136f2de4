/**
 * How a query would be answered. Who may administer the team is told the plan, the SQL, who sees which rows and what PostgreSQL
 * estimates, by the address of the team, which does not exist for others; everybody else is told the plan of their own view. Never
 * shows data, nor values of policies.
 */
import { Controller } from '@nestjs/common';
import { canAdminister, type ReplyOf, type RequestOf } from '@tessera/contracts';
import { explainOwnQuery, explainQuery } from '@tessera/contracts/knowledge-models';
import { fail, succeed, type Result } from '@tessera/failures';
import {
  createCallerView,
  compileQuery,
  planQuery,
  resolveQuery,
  type CallerView,
  type CompiledQuery,
  type QueryCaller,
} from '@tessera/knowledge-model';
import { Serves, type OperationContext } from '@tessera/messaging';
import { planWithoutPolicies, resolveQuestion } from '../evidence/describe-question.js';
import { policyNamesOf } from '../evidence/keep-evidence.js';
import { Catalogs, type TeamCatalog } from '../catalog/catalogs.js';
import { findModel } from '../catalog/caller-models.js';
import type { ValidModel } from '../catalog/published-models.js';
import { GroupEngines, describeEngineChoice, type EngineChoice } from './group-engines.js';
import { parseQueryBody, mapFaultPathsToBody } from './parse-query.js';
import { describePlan } from './describe-plan.js';
import type { QueryCost } from './query-cost.repository.js';
import { mapQueryErrors } from './query-failure.js';
import { groupedStatementsOf, QueryPreparer, type EstimatedStatement } from './query-preparer.js';
import { StatementCosts } from './statement-costs.js';

type Request = RequestOf<typeof explainQuery>;
type Reply = ReplyOf<typeof explainQuery>;

@Controller()
export class ExplainQueryHandler {
  constructor(
    private readonly catalogs: Catalogs,
    private readonly preparer: QueryPreparer,
    private readonly engines: GroupEngines,
    private readonly costs: StatementCosts,
  ) {}

  @Serves(explainQuery)
  async explain(request: Request, { caller, signal }: OperationContext): Promise<Result<Reply>> {
    const { team, explain } = request;
    if (!canAdminister(caller, team)) return notFound;
    const explained = await mapQueryErrors<Reply>(async () => {
      const catalog = await this.catalogs.of(team);
      const model = await this.#modelOf(catalog, request);
      if (!model.ok) return model;
      const seen = createCallerView(model.value, explain.caller ?? unrestrictedReader);
      const { source, view } = await this.preparer.sourceOf(team, { catalog, view: seen });
      const query = parseQueryBody(explain.query, explain.record === undefined ? {} : { record: explain.record });
      if (!query.ok) return query;
      const resolved = resolveQuery(view, query.value);
      if (!resolved.ok) return resolved;
      const plan = planQuery(resolved.value);
      if (!plan.ok) return plan;
      const schema = source.ok ? source.value.schema : view.model.source.schema;
      const compiled = compileQuery(view, query.value, { schema });
      if (!compiled.ok) return compiled;
      const { rows, settings, tables } = compiled.value;
      const versions = source.ok ? source.value.versionsOf(tables) : source;
      const grouped = groupedStatementsOf(view, query.value, compiled.value).get(rows);
      const statement = source.ok &&
        versions.ok && {
          ...{ source: source.value, statement: rows, settings, dataVersions: versions.value },
          ...(grouped && { grouped }),
        };
      const estimate = statement ? await this.#estimate(statement, signal) : undefined;
      return succeed(presentExplanation(view, compiled.value, describePlan(plan.value), estimate));
    });
    return mapFaultPathsToBody(explained, 'query.projection');
  }

  @Serves(explainOwnQuery)
  async explainOwn(
    { km_id, explain: { query: body, record } }: RequestOf<typeof explainOwnQuery>,
    { caller }: OperationContext,
  ): Promise<Result<ReplyOf<typeof explainOwnQuery>>> {
    const explained = await mapQueryErrors<ReplyOf<typeof explainOwnQuery>>(async () => {
      const opened = await this.preparer.open(caller, km_id);
      if (!opened.ok) return opened;
      const { view } = opened.value;
      const query = parseQueryBody(body, record === undefined ? {} : { record });
      if (!query.ok) return query;
      const asked = resolveQuestion(view, { query: query.value, rowsMax: query.value.pageSize });
      if (!asked.ok) return asked;
      const plan = planWithoutPolicies(view, query.value);
      if (!plan.ok) return plan;
      const compiled = compileQuery(view, query.value, { schema: view.model.source.schema });
      if (!compiled.ok) return compiled;
      const { grain, tables } = compiled.value;
      const policies = [...policyNamesOf(view, tables)];
      return succeed({ words: asked.value.words, grain: [...grain], plan: describePlan(plan.value), policies });
    });
    return mapFaultPathsToBody(explained, 'query.projection');
  }

  /** With tables other than the model says there is nothing to estimate. */
  async #estimate(statement: EstimatedStatement, signal: AbortSignal): Promise<Estimate | undefined> {
    const estimate = await mapQueryErrors(async () => {
      const cost = await this.costs.read(statement, signal);
      const choice = await this.engines.choose(statement, signal);
      return succeed({ cost, choice });
    });
    return estimate.ok ? estimate.value : undefined;
  }

  async #modelOf(catalog: TeamCatalog, { team, modelId, explain }: Request): Promise<Result<ValidModel>> {
    if (!explain.draft) {
      const found = findModel(catalog, modelId);
      return found.ok ? succeed(found.value.checked) : found;
    }
    const draft = await this.catalogs.findDraft(team, modelId);
    if (!draft) return fail('KM_MODEL_NOTFOUND', `The knowledge model ${modelId} has no draft.`);
    const { checked } = draft;
    if (checked.ok) return succeed(checked);
    return fail('GENERAL_CONSTRAINT_VIOLATION', 'The draft has faults.', { faults: checked.faults });
  }
}

const notFound = fail('GENERAL_NOTFOUND', 'There is nothing at this address.');
/** A caller who may read and nothing else. */
const unrestrictedReader: QueryCaller = { scopes: ['knowledge-models:read'], attributes: {} };

type Estimate = { readonly cost: QueryCost; readonly choice: EngineChoice };

const presentExplanation = (
  view: CallerView,
  { grain, rows, count }: CompiledQuery,
  plan: Reply['plan'],
  estimate: Estimate | undefined,
): Reply => ({
  grain: [...grain],
  plan,
  sql: rows.text,
  parameters: rows.values.length,
  countSql: count.text,
  rowPolicies: view.policyTexts.map((policy) => ({ ...policy })),
  hiddenFields: [...view.hiddenFields],
  ...(estimate && { cost: presentCost(estimate.cost), engine: describeEngineChoice(estimate.choice) }),
});

const presentCost = ({ total, rows, indexes }: QueryCost): Reply['cost'] => ({ total, rows, indexes: [...indexes] });
