/** One step of the planner: the next tool calls, or the answer. Deterministic: everything known is in its input. */
import { parseAliases, expandAliases } from './aliases.js';
import { findIntents } from './cues.js';
import { addDays } from './days.js';
import { buildContentSearchArgs, toProcedureQuery, renderProcedures } from './find-procedure.js';
import { isEmptyInterpretation, isFollowUp, mergeInterpretations, readChoice } from './follow-up.js';
import { interpretQuestion } from './interpret-question.js';
import type { Interpretation } from './interpretation.js';
import { type JsonObject, isObject, filterObjects, parseJson, getText } from './json.js';
import { type Language, detectLanguage } from './language.js';
import { withSizes } from './bind-comparison.js';
import { makePlan } from './make-plan.js';
import { createFieldChooser } from './choose-fields.js';
import { countRows } from './find-measure.js';
import { phrases } from './phrases.js';
import { localiseNames } from './localise-names.js';
import type { LoadDataQuery, Plan } from './plan.js';
import { findHome } from './plan-rows.js';
import { isWithinQuestionLimit, selectRecentQuestions } from './question-limits.js';
import type { ToolCallOutcome, PlannerContext } from './read-prompt.js';
import { findReadings, type Reading } from './readings.js';
import { formatCell, readFigure, readLoadDataRows } from './read-rows.js';
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
  renderChoices,
  renderMedian,
  buildPeriodArgs,
} from './render-answers.js';
import { type AnsweredQuery, renderRefinementParts, renderFigures } from './render-figures.js';
import { extractSearchTerms, maxSearchTerms, replaceCountryNamesByCodes } from './search-terms.js';
import { type LimitCrossing, findLimitCrossings } from './since-when.js';
import { type NextStep, type PlannerTurn, createAnswerStep, createPlannerTurn } from './turn-state.js';
import { type SearchHit, type Vocabulary, readVocabulary, buildVocabularyFromHits } from './vocabulary.js';

export const decideNextStep = (context: PlannerContext): NextStep => {
  if (!isWithinQuestionLimit(context.question)) return createAnswerStep(renderQuestionTooLong(context.question));
  const aliases = parseAliases(context.instructions);
  const earlier = selectRecentQuestions(context.earlier);
  const questions = [...earlier.map((turn) => turn.question), context.question].map((text) =>
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
  const search = searchAll(state, termsOf(questions), question);
  if (model === 'open' || search === 'open') return state.open();
  // Without what it would have told, a name of the data looks like one that is not there.
  const failed = [model, search].find((each) => each?.ok === false);
  if (failed?.ok === false)
    return createAnswerStep(renderRefusal({ why: 'tool-failed', message: failed.message }, { tools }, language));
  const hits = search?.ok ? search.hits : [];
  const known = (model?.ok ? readVocabulary(model.value) : undefined) ?? buildVocabularyFromHits(hits);
  if (!search && !model)
    return createAnswerStep(renderRefusal({ why: 'no-tool', tool: 'search-data' }, { tools }, language));
  const vocabulary = localiseNames(known, questions, language);
  if (search?.ok && !search.complete)
    return createAnswerStep(renderRefusal({ why: 'search-incomplete' }, { tools, vocabulary }, language));
  const answers = earlier.map(({ answer }) => answer);
  const interpretation = interpretAll({ questions, answers }, vocabulary, hits);
  return planStep(state, { interpretation, vocabulary, language, question });
};

const searchesMax = 3;

type FoundHits =
  | (ToolCallOutcome & { readonly ok: false })
  | { readonly ok: true; readonly hits: readonly SearchHit[]; readonly complete: boolean };

/** A search that was cut off is made again, in another order of its words: what was looked at is found at once then. */
const searchAll = (state: PlannerTurn, terms: readonly string[], question: string): FoundHits | 'open' | undefined => {
  const found: SearchHit[] = [];
  for (let turn = 0; turn < Math.min(searchesMax, terms.length + 1); turn++) {
    const search_terms = [...terms.slice(turn), ...terms.slice(0, turn)];
    // One word has no other order.
    const user_query = terms.length === 1 && turn > 0 ? `${question.slice(0, 3_990)} ?` : question.slice(0, 4_000);
    const search = state.call(state.context.tools.search, { search_terms, user_query });
    if (search === 'open' || search === undefined) return search;
    if (!search.ok) return search;
    found.push(...hitsOf(search.value));
    const isComplete = !isObject(search.value) || search.value['complete'] !== false;
    if (isComplete) return { ok: true, hits: found, complete: true };
  }
  return { ok: true, hits: found, complete: false };
};

/** Questions that go on with those before are read with them, in the order in which they were asked. */
const interpretAll = (
  { questions, answers }: Readonly<Record<'questions' | 'answers', readonly string[]>>,
  vocabulary: Vocabulary,
  hits: readonly SearchHit[],
): Interpretation => {
  const codes = new Set(hits.flatMap(({ kind, name }) => (kind === 'Value' ? [name] : [])));
  const languages = questions.reduce(
    (list: readonly Language[], text) => [...list, detectLanguage(text, list.at(-1))],
    [],
  );
  const interpretations = questions.map((text, place) => ({
    text,
    interpretation: {
      ...interpretQuestion(
        replaceCountryNamesByCodes(text, (code) => codes.has(code)),
        vocabulary,
        hits,
      ),
      language: languages[place] ?? 'en',
    },
  }));
  const [first, ...others] = interpretations;
  const start = first?.interpretation ?? interpretQuestion('', vocabulary, hits);
  return others.reduce((before, { text, interpretation: now }, place) => {
    const readings = readingsOf(before, vocabulary);
    const asked = { readings, answers: answers.slice(0, place + 1), vocabulary };
    const choice = readings.length > 1 ? readChoice(text, now, asked) : undefined;
    // What fits none of them is no choice; it is asked back once more.
    if (choice !== undefined)
      return { ...(choice === 'none' ? before : choice.interpretation), language: now.language };
    if (!isEmptyInterpretation(before) && isFollowUp(now)) return mergeInterpretations(before, now);
    // What was not understood between two questions does not part them.
    return isEmptyInterpretation(now) && place < others.length - 1 ? before : now;
  }, start);
};

const termsOf = (questions: readonly string[]): readonly string[] => {
  const now = extractSearchTerms(questions.at(-1) ?? '');
  const before = questions.slice(0, -1).toReversed().flatMap(extractSearchTerms);
  const terms = [...new Set([...now, ...before])].slice(0, maxSearchTerms);
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

type Work = {
  readonly interpretation: Interpretation;
  readonly vocabulary: Vocabulary;
  readonly language: Language;
  readonly question: string;
};

/** What the words mean, with the numbers that a bare amount may be of. */
const readingsOf = (interpretation: Interpretation, vocabulary: Vocabulary): readonly Reading[] => {
  const { kpis, aggregate } = interpretation;
  const id = kpis[0]?.records[0] ?? aggregate?.options[0]?.record;
  const home = vocabulary.records.find((record) => record.id === id) ?? findHome(interpretation, { vocabulary });
  if (!home || interpretation.unknown.length > 0) return [{ interpretation }];
  const chooser = createFieldChooser(vocabulary, [countRows(home)], new Set());
  const sized =
    kpis.length > 0 && interpretation.groups.length > 0 ? interpretation : withSizes(interpretation, chooser, false);
  return findReadings('why' in sized ? interpretation : sized, vocabulary, home);
};

const retriesMax = 1;

const todayOf = (instructions: string): string | undefined => /today is (\d{4}-\d{2}-\d{2})/i.exec(instructions)?.[1];

const planStep = (state: PlannerTurn, work: Work): NextStep => {
  const { vocabulary, language, interpretation, question } = work;
  const { tools } = state.context;
  const failed = state.failed(tools.load);
  const avoid = failed.length > 0 && failed.length <= retriesMax ? fieldsOfFailed(state) : new Set<string>();
  const known: RefineContext = { vocabulary, avoid, newest: todayOf(state.context.instructions) };
  const readings = readingsOf(interpretation, vocabulary);
  const plans = readings.map((reading) => ({ reading, plan: makePlan(reading.interpretation, known) }));
  const [first] = plans;
  if (first?.plan.kind === 'newest-day') {
    const { field } = first.plan;
    const newest = newestOf(state, field.id);
    if (newest === undefined) {
      if (state.call(tools.load, newestArgs(field.id)) === 'open') return state.open();
      return createAnswerStep(renderRefusal({ why: 'no-period' }, { tools, vocabulary, question }, language));
    }
    return executePlans(
      state,
      work,
      readings.map((reading) => ({ reading, plan: makePlan(reading.interpretation, { ...known, newest }) })),
    );
  }
  return executePlans(state, work, plans);
};

type PlannedReading = { readonly reading: Reading; readonly plan: Plan };

/** Readings that come to the same figures are one; otherwise it is asked which one is meant. */
const executePlans = (state: PlannerTurn, work: Work, plans: readonly PlannedReading[]): NextStep => {
  const [first] = plans;
  const possible = plans.filter(({ plan }) => plan.kind !== 'refuse');
  const compared = possible.flatMap(({ reading, plan }) =>
    (plan.kind === 'figures' || plan.kind === 'rows') && reading.field ? [{ field: reading.field, plan }] : [],
  );
  if (!first) return createAnswerStep(createPlainAnswer(phrases[work.language].nothingLoaded, work.language));
  if (possible.length < 2 || compared.length < possible.length)
    return executePlan(state, work, (possible[0] ?? first).plan);
  const loaded = compared.map(({ field, plan }) => ({
    field,
    plan,
    loaded: loadAll(state, plan.kind === 'figures' ? plan.queries : [plan.query], work.language),
  }));
  const open = loaded.find((each) => 'kind' in each.loaded && each.loaded.kind === 'calls')?.loaded;
  if (open && 'kind' in open) return state.open();
  const answered = loaded.flatMap((each) =>
    'kind' in each.loaded ? [] : [{ ...each, answered: each.loaded.answered }],
  );
  const [one] = answered;
  if (!one) return executePlan(state, work, first.plan);
  const isSame = answered.every((each) => sameFigures(each.answered, one.answered));
  return isSame ? executePlan(state, work, one.plan) : createAnswerStep(renderChoices(answered, work.language));
};

const sameFigures = (left: LoadedFigures['answered'], right: LoadedFigures['answered']): boolean => {
  const valuesOf = (answered: LoadedFigures['answered']): string =>
    JSON.stringify(answered.map(({ loaded }) => loaded.rows.map((row) => Object.values(row).map(String)).toSorted()));
  return valuesOf(left) === valuesOf(right);
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
  const { vocabulary, language, question } = work;
  const { tools } = state.context;
  switch (plan.kind) {
    case 'refuse':
      return createAnswerStep(renderRefusal(plan.refusal, { vocabulary, tools, question }, language));
    case 'explain':
      return createAnswerStep(renderKpiDescriptions(plan.kpis, language));
    case 'newest-day':
      return createAnswerStep(renderRefusal({ why: 'no-period' }, { tools }, language));
    case 'figures': {
      const loaded = loadAll(state, plan.queries, language);
      return 'kind' in loaded ? loaded : createAnswerStep(renderFigures(plan, loaded.answered, language));
    }
    case 'median':
      return medianStep(state, plan, language);
    case 'rows': {
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

/** The middle of the values in their order: one row, or the mean of two. */
const medianStep = (
  state: PlannerTurn,
  plan: Extract<Plan, { readonly kind: 'median' }>,
  language: Language,
): NextStep => {
  const { query, field } = plan;
  const first = loadAll(state, [query], language);
  if ('kind' in first) return first;
  const total = first.answered[0]?.loaded.total ?? 0;
  const pages = [...new Set([Math.floor((total - 1) / 2), Math.floor(total / 2)])].filter((page) => page >= 0);
  const middle = loadAll(
    state,
    pages.map((page) => (page === 0 ? query : { ...query, args: { ...query.args, page } })),
    language,
  );
  if ('kind' in middle) return middle;
  const values = middle.answered.flatMap(({ loaded }) => {
    const value = loaded.rows[0] ? readFigure(loaded.rows[0], field.id) : null;
    return value === null ? [] : [value];
  });
  return createAnswerStep(renderMedian(plan, values, language));
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

type LoadedFigures = { readonly answered: readonly AnsweredQuery[] };

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
