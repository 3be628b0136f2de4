/** One step of the planner: the next tool calls, or the answer. Deterministic: everything known is in its input. */
import { parseAliases, expandAliases } from './aliases.js';
import { findIntents } from './cues.js';
import { addDays } from './days.js';
import { buildContentSearchArgs, toProcedureQuery, renderProcedures } from './find-procedure.js';
import { isEmptyInterpretation, isFollowUp, mergeInterpretations } from './follow-up.js';
import { interpretQuestion } from './interpret-question.js';
import type { Interpretation } from './interpretation.js';
import { type JsonObject, isObject, filterObjects, parseJson, getText } from './json.js';
import { type Language, detectLanguage } from './language.js';
import { makePlan } from './make-plan.js';
import { phrases } from './phrases.js';
import type { LoadDataQuery, Plan } from './plan.js';
import { isWithinQuestionLimit, selectRecentQuestions } from './question-limits.js';
import type { ToolCallOutcome, PlannerContext } from './read-prompt.js';
import { type LoadDataRows, formatCell, readFigure, readLoadDataRows } from './read-rows.js';
import type { RefineContext } from './refinement.js';
import {
  type KpiBeforeAndAfter,
  createPlainAnswer,
  renderDrivers,
  renderHelp,
  renderKpiDescriptions,
  renderRefusal,
  renderRows,
  renderLimitCrossings,
  renderQuestionTooLong,
  buildPeriodArgs,
} from './render-answers.js';
import { renderRefinementParts, renderFigures } from './render-figures.js';
import { extractSearchTerms, replaceCountryNamesByCodes } from './search-terms.js';
import { type LimitCrossing, findLimitCrossings } from './since-when.js';
import { type NextStep, type PlannerTurn, createAnswerStep, createPlannerTurn } from './turn-state.js';
import { type SearchHit, type Vocabulary, readVocabulary, buildVocabularyFromHits } from './vocabulary.js';

export const decideNextStep = (context: PlannerContext): NextStep => {
  if (!isWithinQuestionLimit(context.question)) return createAnswerStep(renderQuestionTooLong(context.question));
  const aliases = parseAliases(context.instructions);
  const questions = [...selectRecentQuestions(context.earlier), context.question].map((text) =>
    expandAliases(text, aliases),
  );
  const question = questions.at(-1) ?? '';
  const language =
    questions.reduce((before: Language | undefined, text) => detectLanguage(text, before), undefined) ?? 'en';
  const intents = findIntents(question);
  const { tools } = context;
  const state = createPlannerTurn(context);
  if (intents.has('act')) return createAnswerStep(renderRefusal({ why: 'cannot-act' }, { tools }, language));
  if (intents.has('procedure') && !intents.has('explain')) return procedureStep(state, question, language);
  const model = state.call(tools.model, {});
  if (intents.has('help') || intents.has('forecast')) {
    if (model === 'open') return state.open();
    const vocabulary = model?.ok ? readVocabulary(model.value) : undefined;
    if (intents.has('help')) return createAnswerStep(renderHelp(vocabulary, tools, language));
    return createAnswerStep(renderRefusal({ why: 'cannot-forecast' }, { vocabulary, tools }, language));
  }
  const search = state.call(tools.search, { search_terms: termsOf(questions), user_query: question.slice(0, 4_000) });
  if (model === 'open' || search === 'open') return state.open();
  // Without what it would have told, a name of the data looks like one that is not there.
  const failed = [model, search].find((each) => each?.ok === false);
  if (failed?.ok === false)
    return createAnswerStep(renderRefusal({ why: 'tool-failed', message: failed.message }, { tools }, language));
  const hits = search?.ok ? hitsOf(search.value) : [];
  const vocabulary = (model?.ok ? readVocabulary(model.value) : undefined) ?? buildVocabularyFromHits(hits);
  if (!search && !model)
    return createAnswerStep(renderRefusal({ why: 'no-tool', tool: 'search-data' }, { tools }, language));
  const interpretation = interpretAll(questions, vocabulary, hits);
  return planStep(state, { interpretation, vocabulary, language });
};

/** Questions that go on with those before are read with them, in the order in which they were asked. */
const interpretAll = (
  questions: readonly string[],
  vocabulary: Vocabulary,
  hits: readonly SearchHit[],
): Interpretation => {
  const codes = new Set(hits.flatMap(({ kind, name }) => (kind === 'Value' ? [name] : [])));
  const interpretations = questions.map((text) =>
    interpretQuestion(
      replaceCountryNamesByCodes(text, (code) => codes.has(code)),
      vocabulary,
      hits,
    ),
  );
  const languages = questions.reduce(
    (list: readonly Language[], text) => [...list, detectLanguage(text, list.at(-1))],
    [],
  );
  const [first, ...others] = interpretations.map((interpretation, place) => ({
    ...interpretation,
    language: languages[place] ?? interpretation.language,
  }));
  const start = first ?? interpretQuestion('', vocabulary, hits);
  return others.reduce((before, now, place) => {
    if (before.kpis.length > 0 && isFollowUp(now)) return mergeInterpretations(before, now);
    // What was not understood between two questions does not part them.
    return isEmptyInterpretation(now) && place < others.length - 1 ? before : now;
  }, start);
};

const termsOf = (questions: readonly string[]): readonly string[] => {
  const now = extractSearchTerms(questions.at(-1) ?? '');
  const before = questions.slice(0, -1).toReversed().flatMap(extractSearchTerms);
  const terms = [...new Set([...now, ...before])].slice(0, 20);
  return terms.length > 0 ? terms : [(questions.at(-1) ?? '').slice(0, 200) || '?'];
};

const hitsOf = (value: unknown): readonly SearchHit[] => {
  const found = isObject(value) ? value['search_result'] : undefined;
  const byTerm = typeof found === 'string' ? parseJson(found) : found;
  if (!isObject(byTerm)) return [];
  return Object.entries(byTerm).flatMap(([term, hits]) =>
    filterObjects(hits).flatMap((hit): readonly SearchHit[] => {
      const kind = (['Attribute', 'Kpi', 'Filter', 'Value'] as const).find((each) => each === hit['entity_type']);
      const texts = {
        id: getText(hit, 'id'),
        name: getText(hit, 'display_name'),
        recordName: getText(hit, 'record_display_name'),
      };
      return kind ? [{ term, ...texts, type: getText(hit, 'column_type').toLowerCase(), kind }] : [];
    }),
  );
};

const procedureStep = (state: PlannerTurn, question: string, language: Language): NextStep => {
  const { tools } = state.context;
  const query = toProcedureQuery(question);
  const found = state.call(tools.content, buildContentSearchArgs(query, language));
  if (found === 'open') return state.open();
  if (!found) return createAnswerStep(renderRefusal(missingTool(tools.content, 'find-content'), { tools }, language));
  if (!found.ok)
    return createAnswerStep(renderRefusal({ why: 'tool-failed', message: found.message }, { tools }, language));
  return createAnswerStep(renderProcedures(query, question, found.value, language));
};

const missingTool = (tool: string | undefined, kind: string) =>
  tool === undefined ? ({ why: 'no-tool', tool: kind } as const) : ({ why: 'tool-failed', message: '' } as const);

type Work = { readonly interpretation: Interpretation; readonly vocabulary: Vocabulary; readonly language: Language };

const retriesMax = 1;

const planStep = (state: PlannerTurn, work: Work): NextStep => {
  const { vocabulary, language, interpretation } = work;
  const { tools } = state.context;
  const failed = state.failed(tools.load);
  const avoid = failed.length > 0 && failed.length <= retriesMax ? fieldsOfFailed(state) : new Set<string>();
  const first = makePlan(interpretation, { vocabulary, avoid });
  const known: RefineContext = {
    vocabulary,
    avoid,
    newest: first.kind === 'newest-day' ? newestOf(state, first.field.id) : undefined,
  };
  if (first.kind === 'newest-day' && known.newest === undefined) {
    const open = state.call(tools.load, newestArgs(first.field.id));
    if (open === 'open') return state.open();
    const today = /today is (\d{4}-\d{2}-\d{2})/i.exec(state.context.instructions)?.[1];
    if (today === undefined) return createAnswerStep(renderRefusal({ why: 'no-period' }, { tools }, language));
    return executePlan(state, work, makePlan(interpretation, { ...known, newest: today }));
  }
  return executePlan(state, work, first.kind === 'newest-day' ? makePlan(interpretation, known) : first);
};

const newestArgs = (field: string): JsonObject => ({
  ...{ columns: [field], order_by: field, ascending: false, limit: 1, page_size: 1 },
  applied_filters: { null_filters: [{ column_id: field, is_null: false }] },
});

const newestOf = (state: PlannerTurn, field: string): string | undefined => {
  const found = state.call(state.context.tools.load, newestArgs(field));
  const row = found !== 'open' && found?.ok ? readLoadDataRows(found.value)?.rows[0] : undefined;
  const value = row?.[field];
  return typeof value === 'string' ? value.slice(0, 10) : undefined;
};

/** Fields that a call named that failed; others of the same name are tried instead. */
const fieldsOfFailed = ({ context }: PlannerTurn): ReadonlySet<string> =>
  new Set(
    context.calls
      .filter(({ tool, outcome }) => tool === context.tools.load && !outcome.ok)
      .flatMap(({ args }) =>
        [...JSON.stringify(args).matchAll(/"([A-Z0-9_]+\.[A-Z0-9_]+)"/gi)].map(([, id = '']) => id),
      ),
  );

const executePlan = (state: PlannerTurn, work: Work, plan: Plan): NextStep => {
  const { vocabulary, language } = work;
  const { tools } = state.context;
  switch (plan.kind) {
    case 'refuse':
      return createAnswerStep(renderRefusal(plan.refusal, { vocabulary, tools }, language));
    case 'explain':
      return createAnswerStep(renderKpiDescriptions(plan.kpis, language));
    case 'newest-day':
      return createAnswerStep(renderRefusal({ why: 'no-period' }, { tools }, language));
    case 'figures': {
      const loaded = loadAll(state, plan.queries, language);
      return 'kind' in loaded ? loaded : createAnswerStep(renderFigures(plan, loaded.answered, language));
    }
    case 'rows':
    case 'count-rows': {
      const loaded = loadAll(state, [plan.query], language);
      if ('kind' in loaded) return loaded;
      const [only] = loaded.answered;
      return createAnswerStep(
        only ? renderRows(plan, only.loaded, language) : createPlainAnswer(phrases[language].nothingLoaded, language),
      );
    }
    case 'since-when':
      return sinceWhenStep(state, plan, language);
    case 'drivers': {
      const found = state.call(tools.insights, plan.args);
      if (found === 'open') return state.open();
      if (!found)
        return createAnswerStep(
          renderRefusal(missingTool(tools.insights, 'get-insights'), { vocabulary, tools }, language),
        );
      if (!found.ok)
        return createAnswerStep(renderRefusal({ why: 'tool-failed', message: found.message }, { tools }, language));
      return createAnswerStep(renderDrivers(plan, found.value, language));
    }
  }
};

const changesMax = 4;

const sinceWhenStep = (
  state: PlannerTurn,
  plan: Extract<Plan, { readonly kind: 'since-when' }>,
  language: Language,
): NextStep => {
  const loaded = loadAll(state, [plan.query], language);
  if ('kind' in loaded) return loaded;
  const { query, month } = plan;
  const [kpi] = query.kpis;
  const group = query.groups.find(({ id }) => id !== month.id);
  const say = phrases[language];
  const months = (loaded.answered[0]?.loaded.rows ?? []).flatMap((row) => {
    const value = kpi ? readFigure(row, kpi.id) : null;
    const label = group ? `${formatCell(row, group, say)}` : (kpi?.name ?? '');
    return value === null ? [] : [{ label, month: formatCell(row, month, say), value }];
  });
  const found = findLimitCrossings(months, kpi?.direction !== 'Up');
  const changes = found.changes.slice(0, changesMax);
  const results = changes.map((change) => readBeforeAndAfter(state, query, month, change));
  if (results.some((sides) => sides === 'open')) return state.open();
  const sides = results.flatMap((each) => (each === 'open' ? [] : [each]));
  const all = renderRefinementParts(query.refinement, language).join('; ');
  const named = changes.map((change) => ({
    ...change,
    label: group ? `${group.name} ${change.label}` : all || change.label,
  }));
  return createAnswerStep(renderLimitCrossings(plan, { ...found, changes: named }, sides, language));
};

/** The KPI from the month of the change on, and before it. */
const readBeforeAndAfter = (
  state: PlannerTurn,
  query: LoadDataQuery,
  month: { readonly id: string },
  change: LimitCrossing,
): KpiBeforeAndAfter | 'open' => {
  const first = `${change.since}-01`;
  const after = state.call(
    state.context.tools.load,
    buildPeriodArgs(query, month, change.label, { start_date: first }),
  );
  const before = change.isFromBegin
    ? undefined
    : state.call(
        state.context.tools.load,
        buildPeriodArgs(query, month, change.label, { end_date: addDays(first, -1) }),
      );
  if (after === 'open' || before === 'open') return 'open';
  const figure = (outcome: ToolCallOutcome | undefined): number | null => {
    const row = outcome?.ok ? readLoadDataRows(outcome.value)?.rows[0] : undefined;
    return row ? readFigure(row, query.kpis[0]?.id ?? '') : null;
  };
  return { before: figure(before), after: figure(after) };
};

type LoadedFigures = { readonly answered: readonly { readonly query: LoadDataQuery; readonly loaded: LoadDataRows }[] };

/** All the questions at once, or what is still to be called, or what went wrong. */
const loadAll = (
  state: PlannerTurn,
  queries: readonly LoadDataQuery[],
  language: Language,
): LoadedFigures | NextStep => {
  const { tools } = state.context;
  const results = queries.map((query) => ({ query, found: state.call(tools.load, query.args) }));
  if (results.some(({ found }) => found === 'open')) return state.open();
  if (tools.load === undefined)
    return createAnswerStep(renderRefusal({ why: 'no-tool', tool: 'load-data' }, { tools }, language));
  const fault = results.find(({ found }) => found === undefined || (found !== 'open' && !found.ok))?.found;
  if (fault !== undefined && fault !== 'open' && !fault.ok)
    return createAnswerStep(renderRefusal({ why: 'tool-failed', message: faultText(fault) }, { tools }, language));
  const loaded = results.flatMap(({ query, found }) => {
    const rows = found && found !== 'open' && found.ok ? readLoadDataRows(found.value) : undefined;
    return rows ? [{ query, loaded: rows }] : [];
  });
  if (loaded.length < queries.length)
    return createAnswerStep(renderRefusal({ why: 'tool-failed', message: '' }, { tools }, language));
  return { answered: loaded };
};

const faultText = ({ message, faults }: ToolCallOutcome & { readonly ok: false }): string =>
  [message, ...faults.map((fault) => getText(fault, 'message') || getText(fault, 'error'))]
    .filter((text) => text !== '')
    .join(' ');
