/**
 * Looks for each number of an answer in what the tools of its turn told. A figure is verified by a cell, derived from told
 * figures by what the answer says, or unverified. Never takes a part of another number for it.
 */
import type { GroundedFigure, GroundingCell } from '@tessera/contracts/agents';
import { deriveFigure, readSentences, sentenceAround, type ToldMention } from './derive-figure.js';
import { charactersMax, countMentions, mentionsMax, readMentions, type Mention } from './read-mentions.js';
import { countTableRows } from './read-tables.js';
import { stemOf, tokensIn, type ToldNumber, type ToldValues } from './told-values.js';

export type AnswerCheck = {
  /** In the order of the text. */
  readonly figures: readonly GroundedFigure[];
  /** The text is longer than is read, so that nothing is known of the rest. */
  readonly isCut: boolean;
};

/** A number that the caller wrote. */
type AskedNumber = {
  readonly isPercent: boolean;
  readonly unit: string;
  /** The stem of the word before it. */
  readonly beside: string | undefined;
};

/** What the caller wrote: numbers in it are the caller's own. */
export type AskedNumbers = {
  readonly values: ReadonlyMap<number, readonly AskedNumber[]>;
  readonly codes: ReadonlyMap<string, readonly AskedNumber[]>;
  readonly words: ReadonlySet<string>;
  /** Words with digits. */
  readonly tokens: ReadonlySet<string>;
};

/** `questions`: the newest first; together no more of them is read than of an answer. */
export const readAskedNumbers = (asked: readonly string[]): AskedNumbers => {
  const questions = firstCharacters(asked);
  const mentions = questions
    .flatMap(readMentions)
    .flatMap((each) => [each, ...(each.parts ?? [])])
    .filter(({ name }) => name === undefined);
  return {
    values: groupPairs(
      mentions.flatMap((mention) => mention.readings.map(({ value }) => [value, askedNumberOf(mention)] as const)),
    ),
    codes: groupPairs(questions.flatMap(codesIn)),
    words: new Set(
      questions.flatMap((question) => [...question.matchAll(/\p{L}{3,}/gu)].map(([word]) => stemOf(word))),
    ),
    tokens: new Set(questions.flatMap(tokensIn)),
  };
};

const groupPairs = <K>(pairs: readonly (readonly [K, AskedNumber])[]): ReadonlyMap<K, readonly AskedNumber[]> => {
  const groups = new Map<K, AskedNumber[]>();
  for (const [key, each] of pairs) {
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups;
};

const askedNumberOf = ({ isPercent, unit, before }: Mention): AskedNumber => ({
  ...{ isPercent, unit },
  beside: lastWordStem(before),
});

const codesIn = (question: string): readonly (readonly [string, AskedNumber])[] =>
  [...question.matchAll(/(?<![\p{L}\p{N}_])\d+(?:\.\d+)*/gu)].map((found) => [
    found[0],
    { isPercent: false, unit: '', beside: lastWordStem(question.slice(Math.max(0, found.index - 80), found.index)) },
  ]);

const lastWordStem = (text: string): string | undefined => {
  const words = [...text.matchAll(/\p{L}{3,}/gu)].map(([word]) => word);
  const last = words.findLast((word) => !/^(?:the|than|and|der|die|das|von|als|for|für)$/i.test(word));
  return last === undefined ? undefined : stemOf(last);
};

const firstCharacters = (texts: readonly string[]): readonly string[] => {
  let left = charactersMax;
  return texts.map((text) => {
    const kept = text.slice(0, left);
    left -= kept.length;
    return kept;
  });
};

export const groundAnswer = (text: string, told: ToldValues, asked: AskedNumbers): AnswerCheck =>
  groundMentions(text, readMentions(text), told, asked);

/** `mentions`: those of the text. */
export const groundMentions = (
  text: string,
  mentions: readonly Mention[],
  told: ToldValues,
  asked: AskedNumbers,
): AnswerCheck => {
  const check = { told, asked, listed: countListed(text) };
  const decided = mentions.flatMap((mention) => {
    const verdict = decide(mention, check);
    if (verdict !== 'unverified' || mention.parts === undefined) return [{ mention, verdict }];
    return mention.parts.map((part) => ({ mention: part, verdict: decide(part, check) }));
  });
  const sentenceOf = readSentences(text);
  const verified = decided.flatMap(({ mention, verdict }): readonly ToldMention[] =>
    typeof verdict === 'object' ? [{ mention, ...verdict }] : [],
  );
  const figures = decided.flatMap(({ mention, verdict }): readonly GroundedFigure[] => {
    if (verdict === 'no figure') return [];
    if (typeof verdict === 'object') return [figureOf(mention, 'verified', verdict.cells, verdict.stated)];
    const cells = deriveFigure(mention, verified, { values: told, sentenceOf });
    return [cells ? figureOf(mention, 'derived', cells) : figureOf(mention, 'unverified', [])];
  });
  return { figures, isCut: wasCut(text, mentions) };
};

/** Whether the text has more than is read. */
export const wasCut = (text: string, mentions: readonly Mention[]): boolean =>
  text.length > charactersMax || countMentions(mentions) >= mentionsMax;

type Check = { readonly told: ToldValues; readonly asked: AskedNumbers; readonly listed: ReadonlySet<number> };
/** `value`: as the tool told it; `stated`: as the answer has it. */
type Verdict =
  | { readonly value: number; readonly stated: number; readonly cells: readonly GroundingCell[] }
  | 'no figure'
  | 'unverified';

/** Texts of results are read last: that takes the longest. */
const decide = (mention: Mention, check: Check): Verdict => {
  if (mention.isWord && isOnlyAWord(mention, check)) return 'no figure';
  const { name } = mention;
  if (name !== undefined && (check.asked.tokens.has(name.toLowerCase()) || check.told.hasToken(name)))
    return 'no figure';
  const told = findTold(mention, check);
  if (told) return told;
  return isNoFigure(mention, check) ? 'no figure' : (findInTexts(mention, check) ?? 'unverified');
};

const findTold = (mention: Mention, { told }: Check): Verdict | undefined => {
  const { readings, isNegative } = mention;
  const states = statesOf(mention);
  for (const { value, half } of readings) {
    const found = told.find(isNegative ? -value : value, half, states);
    if (found) return { value: found.value, stated: value, cells: [found.cell()] };
  }
  const [reading] = readings;
  if (reading && isCount(mention, told)) {
    const cell = told.findCount(reading.value);
    if (cell) return { value: reading.value, stated: reading.value, cells: [cell] };
  }
  return undefined;
};

/** Whether an answer can mean a told number: a count is no per cent, and what is negative is said to be less or lost. */
const statesOf = (mention: Mention): ((told: ToldNumber) => boolean) => {
  let isLess: boolean | undefined;
  return (told) => {
    if (mention.isPercent && Math.abs(told.value) > 1 && told.isCount()) return false;
    return mention.isNegative || told.value >= 0 || (isLess ??= isSaidToBeLess(mention));
  };
};

const lessWords =
  /(?<!\p{L})(?:loss(?:es)?|los[est]{1,2}|deficits?|decreas\p{L}*|declin\p{L}*|reduc\p{L}*|f[ae]ll(?:en|s|ing)?|drop\p{L}*|down|negative\p{L}*|minus|short\p{L}*|less|fewer|lower|below|under|behind|worse|sank|sunk|shr[aiu]nk\p{L}*|cuts?|sav(?:ed|ings?)|credit\p{L}*|refund\p{L}*|ow(?:e[sd]?|ing)|differ\p{L}*|delta|gaps?|deviat\p{L}*|variances?|chang\p{L}*|miss\p{L}*|earl(?:y|ier)|Verlust\p{L}*|verlor\p{L}*|Rückgang\p{L}*|gesunken|sinkt|sanken|fiel\p{L}*|gefallen|Abnahme|weniger|niedriger|geringer|schlechter|unter|Defizit\p{L}*|Fehlbetrag|negativ\p{L}*|Gutschrift\p{L}*|Abweichung\p{L}*|Differenz|Veränderung\p{L}*|reduziert\p{L}*|früher|Rückstand|perte|baisse|pérdida)(?!\p{L})|[Δ∆↓▼]/iu;

export const saysLess = (text: string): boolean => lessWords.test(text);

const isSaidToBeLess = (mention: Mention): boolean =>
  (/\([ \u00a0]?(?:EUR|USD|[€$£])?[ \u00a0]?$/u.test(mention.before) &&
    /^[ \u00a0]?(?:EUR|USD|[€$£])?\)/u.test(mention.after)) ||
  saysLess(`${mention.table?.head ?? ''} ${mention.table?.label ?? ''} ${sentenceAround(mention)}`);

const findInTexts = (mention: Mention, { told }: Check): Verdict | undefined => {
  const states = statesOf(mention);
  for (const { value } of mention.readings) {
    const found = told.findInTexts(mention.isNegative ? -value : value, states);
    if (found) return { value: found.value, stated: value, cells: [found.cell()] };
  }
  return undefined;
};

/** Numbers of the question, names that have digits, years that the turn knows, and how many entries the answer lists. */
const isNoFigure = (mention: Mention, { told, asked, listed }: Check): boolean => {
  const { code, readings, isPerhapsYear } = mention;
  if (readings.some(({ value }) => isAsked(mention, asked.values.get(value), told))) return true;
  if (code !== undefined && isAsked(mention, asked.codes.get(code), told)) return true;
  const [reading] = readings;
  if (reading && listed.has(reading.value) && isCount(mention, told)) return true;
  if (code === undefined) return false;
  const isHead = mention.table?.isBody === false && /^(?:19|20)\d\d$/.test(code);
  return ((isPerhapsYear || isHead) && told.isYear(code)) || isCode(mention, code, told);
};

/** Of the same kind as in the question, and not what the answer says that something else is. */
const isAsked = (mention: Mention, asked: readonly AskedNumber[] | undefined, told: ToldValues): boolean => {
  if (asked === undefined) return false;
  const near = mention.before.slice(-80);
  const isCompared = comparison.test(near);
  const statement = isStatement.exec(near);
  const subject = statement ? lastWordStem(near.slice(0, statement.index)) : undefined;
  const measure = isAfterColon.test(near) && isBesideMeasure(mention, told) ? wordsOfCondition(mention) : undefined;
  return asked.some(({ isPercent, unit, beside }) => {
    const isOfKind =
      (!mention.isPercent || isPercent || (isCompared && unit === '')) &&
      (mention.unit === '' || mention.unit === unit || (isCompared && unit === ''));
    return (
      isOfKind &&
      (measure === undefined || (beside !== undefined && measure.includes(beside))) &&
      (!statement || (subject !== undefined && subject === beside))
    );
  });
};

const comparison =
  /(?<!\p{L})(?:above|over|below|under|than|least|most|exceed(?:s|ed|ing)?|beyond|up to|within|über|unter|als|mindestens|höchstens|bis|ab)[ \u00a0*_(€$£]*(?:EUR[ \u00a0])?$/iu;
const isStatement =
  /(?:^|(?<!\p{L}))(?:is|was|are|were|equals?|reached|amounts? to|amounted to|(?:grew|rose|fell|dropped|increased|decreased|up|down|stieg|sank|gestiegen|gesunken|wuchs)[ \u00a0](?:by|to|um|auf)|by|ist|war|sind|waren|beträgt|betrug|est|était|es|fue|son)[ \u00a0*_`:"(€$£]*$|[=≈→][ \u00a0*_`]*$/iu;
const isAfterColon = /:[ \u00a0*_`]*$/u;

const statementWords =
  /(?:^|[^\p{L}])(?:is|was|are|were|be|been|equals?|totals?|totall?ed|reached|amounts?|amounted|to|of|at|by|about|around|only|just|exactly|ist|war|sind|waren|beträgt|betrug|betragen|liegt|lag|bei|auf|um|von|nur|genau|est|était|es|fue|son)[ \u00a0*_`:"(]*$|[=~≈→>][ \u00a0*_`]*$/iu;

/**
 * Whether digits name something: not after "is", not beside the name of a column of numbers, and only with the word that they
 * have in what was told, or where they are a cell of their own.
 */
const isCode = (mention: Mention, digits: string, told: ToldValues): boolean => {
  const code = told.findCode(digits);
  if (!code) return false;
  if (digits.includes('.')) return true;
  const { before, after, table } = mention;
  const near = before.slice(-80);
  if (statementWords.test(near) || isBesideMeasure(mention, told)) return false;
  const [, word = ''] = namingWord.exec(near) ?? [];
  const [, next = ''] = /^[ \u00a0*_]+(\p{L}{2,})/u.exec(after) ?? [];
  if ([word, next].some((each) => each !== '' && code.beside.has(stemOf(each)))) return true;
  if (!code.isWhole) return false;
  if (table || conditionLine.test(before.slice(-300))) return true;
  if (isAfterColon.test(near))
    return (
      /^[ \u00a0*_`]*(?:,|&|and|und)[ \u00a0*_`]*\d/u.test(after) || (told.isName(word) && !/(?:[^u]s|en)$/i.test(word))
    );
  return told.isName(word) || /^\p{Lu}/u.test(word) || next.length < 3 || noNouns.test(next) || verbs.test(next);
};

/** Stems of the words that say what a number after a colon is: the last one, and of a condition each. */
const wordsOfCondition = ({ before }: Mention): readonly string[] => {
  const condition = conditionLine.exec(before.slice(-300))?.[0].split(/[;:]/).at(-2);
  if (condition !== undefined) return [...condition.matchAll(/\p{L}{3,}/gu)].map(([word]) => stemOf(word));
  const last = lastWordStem(before.slice(-80));
  return last === undefined ? [] : [last];
};

/** A line that says which rows were looked at: what it names are values of theirs. */
const conditionLine = /(?:^|\n)[ \t*_>-]*(?:only|nur):[^\n]*$/iu;

/** The last word before digits; "plants 1010, 1020 and 2010" are all plants. */
const namingWord = /(\p{L}{2,})(?:[^\p{L}\n]|(?<!\p{L})(?:and|und|or|oder|et|y)(?!\p{L}))*$/u;
const verbs = /^(?:has|have|had|does|did|can|will|shows?|hat|haben|hatte|liegt|kann|wird)$/iu;

const isBesideMeasure = ({ before, table }: Mention, told: ToldValues): boolean => {
  const [word = ''] = /\p{L}{3,}(?=[^\p{L}\n]*$)/u.exec(before.slice(-80)) ?? [];
  const labels = table ? `${table.head} ${table.column > 0 ? table.label : ''}` : word;
  return [...labels.matchAll(/\p{L}{3,}/gu)].some(([label]) => told.isMeasure(label));
};

const countCues =
  /(?:^|[^\p{L}])(?:in all|in total|count|number of|total of|there (?:is|are|were)|insgesamt|anzahl|es gibt|zahl der|of|von)[ \u00a0*_:]*(?:is|are|ist|sind)?[ \u00a0*_:]*$/iu;
const noNouns =
  /^(?:is|was|are|were|and|or|but|in|on|at|to|for|by|with|than|more|less|as|per|the|und|oder|aber|ist|war|sind|mehr|weniger|als|pro|mit|im|am|bis|seit|which|that|this)$/iu;

/** Whether a whole number counts something: a noun follows, or words before it say so. */
const isCount = (
  { readings: [reading], isPercent, hasUnit, before, after, isWord, text }: Mention,
  told: ToldValues,
): boolean => {
  if (!reading || isPercent || (hasUnit && !isWord) || !Number.isInteger(reading.value)) return false;
  if (/[.,]\d{1,2}$|[^\d.,  '’_]$/.test(text) && !isWord) return false;
  const [, next = ''] =
    /^[ \u00a0*_]+(?:(?:different|other|further|such|von|of|verschiedene|weitere|\d[\d.,]*)[ \u00a0]+)*(\p{L}{3,})/u.exec(
      after,
    ) ?? [];
  if (next !== '' && !noNouns.test(next)) return !told.isMeasure(next);
  return countCues.test(before.slice(-60)) || /^[ \u00a0*_]+(?:in all|in total|insgesamt|of|von)\b/iu.test(after);
};

/** "Two ways" states nothing; "two suppliers" does where suppliers are asked for or told of, and "forty-two" always. */
const isOnlyAWord = ({ readings: [reading], hasUnit, isPercent, after }: Mention, { told, asked }: Check): boolean => {
  if (!reading || reading.value > 12 || hasUnit || isPercent) return false;
  if (/^[ \u00a0*_]*(?:$|[.,;:!?)|])/u.test(after)) return false;
  const words = [...after.slice(0, 40).matchAll(/\p{L}{3,}/gu)].slice(0, 2).map(([word]) => word);
  return !words.some((word) => asked.words.has(stemOf(word)) || told.isName(word));
};

/** How many rows its tables and entries its lists have. */
const countListed = (text: string): ReadonlySet<number> => {
  const counts = new Set(countTableRows(text));
  let run = 0;
  for (const line of [...text.split('\n'), '']) {
    if (/^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]/u.test(line)) run++;
    else {
      if (run > 1) counts.add(run);
      run = 0;
    }
  }
  return counts;
};

const figureOf = (
  { text, start, end, readings, isNegative }: Mention,
  state: GroundedFigure['state'],
  cells: readonly GroundingCell[],
  value = readings.at(-1)?.value ?? 0,
): GroundedFigure => {
  return { text, value: isNegative ? -value : value, start, end, state, cells: [...cells] };
};
