/**
 * One step: what is known of a question -> the next calls of tools, or the answer. All that is known stands in what it is given,
 * so the same is always thought of the same.
 * Refuses: to call anything twice, and tools that it does not know.
 */
import type { Answer } from './answer.js';
import { wishesOf } from './cues.js';
import { plusDays } from './days.js';
import { contentArgs, procedureQuery, wordProcedures } from './find-procedure.js';
import { goesOn, joinReadings } from './follow-up.js';
import { isObject, type Json, objectsIn, parseJson, textIn } from './json.js';
import { languageOf, type Language } from './language.js';
import { type Known, makePlan } from './make-plan.js';
import type { LoadQuestion, Plan } from './plan.js';
import { cellOf, figureIn, readRows, type Rows } from './read-rows.js';
import { readQuestion } from './read-question.js';
import type { Situation, Outcome } from './read-prompt.js';
import type { Reading } from './reading.js';
import { searchTerms, withRegionCodes } from './search-terms.js';
import { type Change, findChanges } from './since-when.js';
import { phrases } from './phrases.js';
import { type Hit, readVocabulary, type Vocabulary, vocabularyOfHits } from './vocabulary.js';
import { narrowingParts, wordFigures } from './word-figures.js';
import {
  plain,
  sideArgs,
  type Sides,
  wordDrivers,
  wordHelp,
  wordMeanings,
  wordRefusal,
  wordRows,
  wordSinceWhen,
} from './word-others.js';

export type Call = { readonly tool: string; readonly args: Json };
export type Thought =
  { readonly kind: 'calls'; readonly calls: readonly Call[] } | { readonly kind: 'answer'; readonly answer: Answer };

const answered = (answer: Answer): Thought => ({ kind: 'answer', answer });
const answer = (text: Answer): Thought => answered(text);

/** Earlier questions that one may go on with. */
const earlierMax = 6;

export const think = (situation: Situation): Thought => {
  const aliases = aliasesIn(situation.instructions);
  const asked = [...situation.earlier.slice(-earlierMax), situation.question].map((text) => withAliases(text, aliases));
  const question = asked.at(-1) ?? '';
  const language = asked.reduce((before: Language | undefined, text) => languageOf(text, before), undefined) ?? 'en';
  const wishes = wishesOf(question);
  const { tools } = situation;
  const desk = deskOf(situation);
  if (wishes.has('act')) return answer(wordRefusal({ why: 'cannot-act' }, { tools }, language));
  if (wishes.has('procedure') && !wishes.has('explain')) return thinkProcedure(desk, question, language);
  const model = desk.ask(tools.model, {});
  if (wishes.has('help') || wishes.has('forecast')) {
    if (model === 'open') return desk.open();
    const vocabulary = model?.ok ? readVocabulary(model.value) : undefined;
    if (wishes.has('help')) return answer(wordHelp(vocabulary, tools, language));
    return answer(wordRefusal({ why: 'cannot-forecast' }, { vocabulary, tools }, language));
  }
  const search = desk.ask(tools.search, { search_terms: termsOf(asked), user_query: question.slice(0, 4_000) });
  if (model === 'open' || search === 'open') return desk.open();
  const hits = search?.ok ? hitsOf(search.value) : [];
  const vocabulary = (model?.ok ? readVocabulary(model.value) : undefined) ?? vocabularyOfHits(hits);
  if (!search && !model) return answer(wordRefusal({ why: 'no-tool', tool: 'search-data' }, { tools }, language));
  if (tools.load === undefined) return answer(wordRefusal({ why: 'no-tool', tool: 'load-data' }, { tools }, language));
  const reading = readAll(asked, vocabulary, hits);
  return thinkPlan(desk, { reading, vocabulary, language });
};

/** Questions that go on with those before are read with them, in the order in which they were asked. */
const readAll = (asked: readonly string[], vocabulary: Vocabulary, hits: readonly Hit[]): Reading => {
  const codes = new Set(hits.flatMap(({ kind, name }) => (kind === 'Value' ? [name] : [])));
  const readings = asked.map((text) =>
    readQuestion(
      withRegionCodes(text, (code) => codes.has(code)),
      vocabulary,
      hits,
    ),
  );
  const languages = asked.reduce((list: readonly Language[], text) => [...list, languageOf(text, list.at(-1))], []);
  const [first, ...others] = readings.map((reading, place) => ({
    ...reading,
    language: languages[place] ?? reading.language,
  }));
  const start = first ?? readQuestion('', vocabulary, hits);
  return others.reduce(
    (before, now) => (before.kpis.length > 0 && goesOn(now) ? joinReadings(before, now) : now),
    start,
  );
};

const termsOf = (asked: readonly string[]): readonly string[] => {
  const now = searchTerms(asked.at(-1) ?? '');
  const before = asked.slice(0, -1).toReversed().flatMap(searchTerms);
  const terms = [...new Set([...now, ...before])].slice(0, 20);
  return terms.length > 0 ? terms : [(asked.at(-1) ?? '').slice(0, 200) || '?'];
};

/** Lines of the instructions as `Valencia = plant 2010` say what the team calls things. */
const aliasesIn = (instructions: string): readonly (readonly [RegExp, string])[] =>
  [
    ...instructions.matchAll(/^[ \t>*-]*"?([\p{L}\p{N}][^="\n]{0,60}?)"?[ \t]*=[ \t]*"?([^"\n]{1,100}?)"?[ \t.]*$/gmu),
  ].map(
    ([, word = '', meaning = '']) =>
      [new RegExp(`(?<![\\p{L}\\p{N}])${escape(word)}(?![\\p{L}\\p{N}])`, 'giu'), meaning] as const,
  );

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const withAliases = (text: string, aliases: readonly (readonly [RegExp, string])[]): string =>
  aliases.reduce((changed, [word, meaning]) => changed.replace(word, meaning), text);

const hitsOf = (value: unknown): readonly Hit[] => {
  const found = isObject(value) ? value['search_result'] : undefined;
  const byTerm = typeof found === 'string' ? parseJson(found) : found;
  if (!isObject(byTerm)) return [];
  return Object.entries(byTerm).flatMap(([term, hits]) =>
    objectsIn(hits).flatMap((hit): readonly Hit[] => {
      const kind = (['Attribute', 'Kpi', 'Filter', 'Value'] as const).find((each) => each === hit['entity_type']);
      const texts = {
        id: textIn(hit, 'id'),
        name: textIn(hit, 'display_name'),
        recordName: textIn(hit, 'record_display_name'),
      };
      return kind ? [{ term, ...texts, type: textIn(hit, 'column_type'), kind }] : [];
    }),
  );
};

type Asked = Outcome | 'open' | undefined;

/** What was called and what is to be called. */
type Desk = {
  readonly situation: Situation;
  /** Undefined: there is no such tool, or nothing may be called any more. */
  readonly ask: (tool: string | undefined, args: Json) => Asked;
  /** The calls that were asked for and not made. */
  readonly open: () => Thought;
  readonly failed: (tool: string | undefined) => readonly (Outcome & { readonly ok: false })[];
};

const deskOf = (situation: Situation): Desk => {
  const { calls, mayCall } = situation;
  const missing: Call[] = [];
  const keyOf = (tool: string, args: Json): string => `${tool} ${stable(args)}`;
  const made = new Map(calls.map(({ tool, args, outcome }) => [keyOf(tool, args), outcome]));
  return {
    situation,
    ask: (tool, args) => {
      if (tool === undefined) return undefined;
      const known = made.get(keyOf(tool, args));
      if (known || !mayCall) return known;
      missing.push({ tool, args });
      return 'open';
    },
    open: () => ({ kind: 'calls', calls: missing }),
    failed: (tool) => calls.flatMap(({ tool: each, outcome }) => (each === tool && !outcome.ok ? [outcome] : [])),
  };
};

/** The same for the same members in whatever order. */
const stable = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${members
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, each]) => `${name}:${stable(each)}`)
    .join(',')}}`;
};

const thinkProcedure = (desk: Desk, question: string, language: Language): Thought => {
  const { tools } = desk.situation;
  const query = procedureQuery(question);
  const found = desk.ask(tools.content, contentArgs(query, language));
  if (found === 'open') return desk.open();
  if (!found) return answer(wordRefusal(missingTool(tools.content, 'find-content'), { tools }, language));
  if (!found.ok) return answer(wordRefusal({ why: 'tool-failed', message: found.message }, { tools }, language));
  return answer(wordProcedures(query, question, found.value, language));
};

const missingTool = (tool: string | undefined, kind: string) =>
  tool === undefined ? ({ why: 'no-tool', tool: kind } as const) : ({ why: 'tool-failed', message: '' } as const);

type Work = { readonly reading: Reading; readonly vocabulary: Vocabulary; readonly language: Language };

const mendsMax = 1;

const thinkPlan = (desk: Desk, work: Work): Thought => {
  const { vocabulary, language, reading } = work;
  const { tools } = desk.situation;
  const failed = desk.failed(tools.load);
  const avoid = failed.length > 0 && failed.length <= mendsMax ? fieldsOfFailed(desk) : new Set<string>();
  const first = makePlan(reading, { vocabulary, avoid });
  const known: Known = {
    vocabulary,
    avoid,
    newest: first.kind === 'newest-day' ? newestOf(desk, first.field.id) : undefined,
  };
  if (first.kind === 'newest-day' && known.newest === undefined) {
    const open = desk.ask(tools.load, newestArgs(first.field.id));
    if (open === 'open') return desk.open();
    const today = /today is (\d{4}-\d{2}-\d{2})/i.exec(desk.situation.instructions)?.[1];
    if (today === undefined) return answer(wordRefusal({ why: 'no-period' }, { tools }, language));
    return carryOut(desk, work, makePlan(reading, { ...known, newest: today }));
  }
  return carryOut(desk, work, first.kind === 'newest-day' ? makePlan(reading, known) : first);
};

const newestArgs = (field: string): Json => ({
  ...{ columns: [field], order_by: field, ascending: false, limit: 1, page_size: 1 },
  applied_filters: { null_filters: [{ column_id: field, is_null: false }] },
});

const newestOf = (desk: Desk, field: string): string | undefined => {
  const found = desk.ask(desk.situation.tools.load, newestArgs(field));
  const row = found !== 'open' && found?.ok ? readRows(found.value)?.rows[0] : undefined;
  const value = row?.[field];
  return typeof value === 'string' ? value.slice(0, 10) : undefined;
};

/** Fields that a call named that failed; others of the same name are tried instead. */
const fieldsOfFailed = ({ situation }: Desk): ReadonlySet<string> =>
  new Set(
    situation.calls
      .filter(({ tool, outcome }) => tool === situation.tools.load && !outcome.ok)
      .flatMap(({ args }) =>
        [...JSON.stringify(args).matchAll(/"([A-Z0-9_]+\.[A-Z0-9_]+)"/gi)].map(([, id = '']) => id),
      ),
  );

const carryOut = (desk: Desk, work: Work, plan: Plan): Thought => {
  const { vocabulary, language } = work;
  const { tools } = desk.situation;
  switch (plan.kind) {
    case 'refuse':
      return answer(wordRefusal(plan.refusal, { vocabulary, tools }, language));
    case 'explain':
      return answer(wordMeanings(plan.kpis, language));
    case 'newest-day':
      return answer(wordRefusal({ why: 'no-period' }, { tools }, language));
    case 'figures': {
      const loaded = loadAll(desk, plan.questions, language);
      return 'kind' in loaded ? loaded : answer(wordFigures(plan, loaded.answered, language));
    }
    case 'rows':
    case 'count-rows': {
      const loaded = loadAll(desk, [plan.question], language);
      if ('kind' in loaded) return loaded;
      const [only] = loaded.answered;
      return answer(only ? wordRows(plan, only.loaded, language) : plain(phrases[language].nothingLoaded, language));
    }
    case 'since-when':
      return thinkSinceWhen(desk, plan, language);
    case 'drivers': {
      const found = desk.ask(tools.insights, plan.args);
      if (found === 'open') return desk.open();
      if (!found)
        return answer(wordRefusal(missingTool(tools.insights, 'get-insights'), { vocabulary, tools }, language));
      if (!found.ok) return answer(wordRefusal({ why: 'tool-failed', message: found.message }, { tools }, language));
      return answer(wordDrivers(plan, found.value, language));
    }
  }
};

type Loaded = { readonly answered: readonly { readonly question: LoadQuestion; readonly loaded: Rows }[] };

/** All the questions at once, or what is still to be called, or what went wrong. */
const loadAll = (desk: Desk, questions: readonly LoadQuestion[], language: Language): Loaded | Thought => {
  const { tools } = desk.situation;
  const asked = questions.map((question) => ({ question, found: desk.ask(tools.load, question.args) }));
  if (asked.some(({ found }) => found === 'open')) return desk.open();
  const fault = asked.find(({ found }) => found === undefined || (found !== 'open' && !found.ok))?.found;
  if (fault !== undefined && fault !== 'open' && !fault.ok)
    return answer(wordRefusal({ why: 'tool-failed', message: faultText(fault) }, { tools }, language));
  const loaded = asked.flatMap(({ question, found }) => {
    const rows = found && found !== 'open' && found.ok ? readRows(found.value) : undefined;
    return rows ? [{ question, loaded: rows }] : [];
  });
  if (loaded.length < questions.length)
    return answer(wordRefusal({ why: 'tool-failed', message: '' }, { tools }, language));
  return { answered: loaded };
};

const faultText = ({ message, faults }: Outcome & { readonly ok: false }): string =>
  [message, ...faults.map((fault) => textIn(fault, 'message') || textIn(fault, 'error'))]
    .filter((text) => text !== '')
    .join(' ');

const changesMax = 4;

const thinkSinceWhen = (
  desk: Desk,
  plan: Extract<Plan, { readonly kind: 'since-when' }>,
  language: Language,
): Thought => {
  const loaded = loadAll(desk, [plan.question], language);
  if ('kind' in loaded) return loaded;
  const { question, month } = plan;
  const [kpi] = question.kpis;
  const group = question.groups.find(({ id }) => id !== month.id);
  const say = phrases[language];
  const months = (loaded.answered[0]?.loaded.rows ?? []).flatMap((row) => {
    const value = kpi ? figureIn(row, kpi.id) : null;
    const label = group ? `${cellOf(row, group, say)}` : (kpi?.name ?? '');
    return value === null ? [] : [{ label, month: cellOf(row, month, say), value }];
  });
  const found = findChanges(months, kpi?.direction !== 'Up');
  const changes = found.changes.slice(0, changesMax);
  const asked = changes.map((change) => sidesOf(desk, question, month, change));
  if (asked.some((sides) => sides === 'open')) return desk.open();
  const sides = asked.flatMap((each) => (each === 'open' ? [] : [each]));
  const all = narrowingParts(question.narrowing, language).join('; ');
  const named = changes.map((change) => ({
    ...change,
    label: group ? `${group.name} ${change.label}` : all || change.label,
  }));
  return answer(wordSinceWhen(plan, { ...found, changes: named }, sides, language));
};

/** The KPI from the month of the change on, and before it. */
const sidesOf = (
  desk: Desk,
  question: LoadQuestion,
  month: { readonly id: string },
  change: Change,
): Sides | 'open' => {
  const first = `${change.since}-01`;
  const after = desk.ask(desk.situation.tools.load, sideArgs(question, month, change.label, { start_date: first }));
  const before = change.isFromBegin
    ? undefined
    : desk.ask(desk.situation.tools.load, sideArgs(question, month, change.label, { end_date: plusDays(first, -1) }));
  if (after === 'open' || before === 'open') return 'open';
  const figure = (outcome: Outcome | undefined): number | null => {
    const row = outcome?.ok ? readRows(outcome.value)?.rows[0] : undefined;
    return row ? figureIn(row, question.kpis[0]?.id ?? '') : null;
  };
  return { before: figure(before), after: figure(after) };
};
