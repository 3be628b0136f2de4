/** One step of the planner: the next tool calls, or the answer. Deterministic: everything known is in its input. */
import { aliasesIn, withAliases } from './aliases.js';
import { wishesOf } from './cues.js';
import { answer, type Desk, deskOf, type Thought } from './desk.js';
import { contentArgs, procedureQuery, wordProcedures } from './find-procedure.js';
import { goesOn, joinReadings, saysNothing } from './follow-up.js';
import { isObject, type Json, objectsIn, parseJson, textIn } from './json.js';
import { languageOf, type Language } from './language.js';
import { loadAll } from './load-rows.js';
import { makePlan } from './make-plan.js';
import type { Known } from './narrow.js';
import { phrases } from './phrases.js';
import type { Plan } from './plan.js';
import { readQuestion } from './read-question.js';
import type { Situation } from './read-prompt.js';
import { readRows } from './read-rows.js';
import type { Reading } from './reading.js';
import { searchTerms, withRegionCodes } from './search-terms.js';
import { isShort, newestShort } from './short-question.js';
import { thinkSinceWhen } from './think-since-when.js';
import { type Hit, readVocabulary, type Vocabulary, vocabularyOfHits } from './vocabulary.js';
import { wordFigures } from './word-figures.js';
import { plain, wordDrivers, wordHelp, wordMeanings, wordRefusal, wordRows, wordTooLong } from './word-others.js';

export const think = (situation: Situation): Thought => {
  if (!isShort(situation.question)) return answer(wordTooLong(situation.question));
  const aliases = aliasesIn(situation.instructions);
  const asked = [...newestShort(situation.earlier), situation.question].map((text) => withAliases(text, aliases));
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
  // Without what it would have told, a name of the data looks like one that is not there.
  const failed = [model, search].find((each) => each?.ok === false);
  if (failed?.ok === false)
    return answer(wordRefusal({ why: 'tool-failed', message: failed.message }, { tools }, language));
  const hits = search?.ok ? hitsOf(search.value) : [];
  const vocabulary = (model?.ok ? readVocabulary(model.value) : undefined) ?? vocabularyOfHits(hits);
  if (!search && !model) return answer(wordRefusal({ why: 'no-tool', tool: 'search-data' }, { tools }, language));
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
  return others.reduce((before, now, place) => {
    if (before.kpis.length > 0 && goesOn(now)) return joinReadings(before, now);
    // What was not understood between two questions does not part them.
    return saysNothing(now) && place < others.length - 1 ? before : now;
  }, start);
};

const termsOf = (asked: readonly string[]): readonly string[] => {
  const now = searchTerms(asked.at(-1) ?? '');
  const before = asked.slice(0, -1).toReversed().flatMap(searchTerms);
  const terms = [...new Set([...now, ...before])].slice(0, 20);
  return terms.length > 0 ? terms : [(asked.at(-1) ?? '').slice(0, 200) || '?'];
};

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
