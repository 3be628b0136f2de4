/**
 * Looks for each number of an answer in what the tools of its turn told. A figure is verified by a cell, derived from told
 * figures by what the answer says, or unverified. Never takes a part of another number for it.
 */
import type { GroundedFigure, GroundingCell } from '@tessera/contracts/agents';
import { deriveFigure, type ToldMention } from './derive-figure.js';
import { charactersMax, countMentions, mentionsMax, readMentions, type Mention } from './read-mentions.js';
import { countTableRows } from './read-tables.js';
import { stemOf, type ToldValues } from './told-values.js';

export type AnswerCheck = {
  /** In the order of the text. */
  readonly figures: readonly GroundedFigure[];
  /** The text is longer than is read, so that nothing is known of the rest. */
  readonly isCut: boolean;
};

/** What the caller wrote: numbers in it are the caller's own. */
export type AskedNumbers = {
  readonly values: ReadonlySet<number>;
  readonly codes: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
};

/** `questions`: the newest first; together no more of them is read than of an answer. */
export const readAskedNumbers = (asked: readonly string[]): AskedNumbers => {
  const questions = firstCharacters(asked);
  const mentions = questions.flatMap(readMentions).flatMap((each) => [each, ...(each.parts ?? [])]);
  return {
    values: new Set(mentions.flatMap(({ readings }) => readings.map(({ value }) => value))),
    codes: new Set(questions.flatMap((question) => question.match(/\d+(?:\.\d+)*/g) ?? [])),
    words: new Set(
      questions.flatMap((question) => [...question.matchAll(/\p{L}{3,}/gu)].map(([word]) => stemOf(word))),
    ),
  };
};

const firstCharacters = (texts: readonly string[]): readonly string[] => {
  let left = charactersMax;
  return texts.map((text) => {
    const kept = text.slice(0, left);
    left -= kept.length;
    return kept;
  });
};

export const groundAnswer = (text: string, told: ToldValues, asked: AskedNumbers): AnswerCheck => {
  const mentions = readMentions(text);
  const check = { told, asked, listed: countListed(text) };
  const decided = mentions.flatMap((mention) => {
    const verdict = decide(mention, check);
    if (verdict !== 'unverified' || mention.parts === undefined) return [{ mention, verdict }];
    return mention.parts.map((part) => ({ mention: part, verdict: decide(part, check) }));
  });
  const verified = decided.flatMap(({ mention, verdict }): readonly ToldMention[] =>
    typeof verdict === 'object' ? [{ mention, ...verdict }] : [],
  );
  const figures = decided.flatMap(({ mention, verdict }): readonly GroundedFigure[] => {
    if (verdict === 'no figure') return [];
    if (typeof verdict === 'object') return [figureOf(mention, 'verified', verdict.cells, verdict.stated)];
    const cells = deriveFigure(mention, verified, told);
    return [cells ? figureOf(mention, 'derived', cells) : figureOf(mention, 'unverified', [])];
  });
  return { figures, isCut: text.length > charactersMax || countMentions(mentions) >= mentionsMax };
};

type Check = { readonly told: ToldValues; readonly asked: AskedNumbers; readonly listed: ReadonlySet<number> };
/** `value`: as the tool told it; `stated`: as the answer has it. */
type Verdict =
  | { readonly value: number; readonly stated: number; readonly cells: readonly GroundingCell[] }
  | 'no figure'
  | 'unverified';

/** Texts of results are read last: that takes the longest. */
const decide = (mention: Mention, check: Check): Verdict => {
  if (mention.isWord && isOnlyAWord(mention, check)) return 'no figure';
  const told = findTold(mention, check);
  if (told) return told;
  return isNoFigure(mention, check) ? 'no figure' : (findInTexts(mention, check) ?? 'unverified');
};

const findTold = (mention: Mention, { told }: Check): Verdict | undefined => {
  const { readings, isNegative } = mention;
  for (const { value, half } of readings) {
    const found = told.find(isNegative ? -value : value, half);
    if (found) return { value: found.value, stated: value, cells: [found.cell()] };
  }
  const [reading] = readings;
  if (reading && isCount(mention, told)) {
    const cell = told.findCount(reading.value);
    if (cell) return { value: reading.value, stated: reading.value, cells: [cell] };
  }
  return undefined;
};

const findInTexts = ({ readings, isNegative }: Mention, { told }: Check): Verdict | undefined => {
  for (const { value } of readings) {
    const found = told.findInTexts(isNegative ? -value : value);
    if (found) return { value: found.value, stated: value, cells: [found.cell()] };
  }
  return undefined;
};

/** Numbers of the question, names that have digits, years that the turn knows, and how many entries the answer lists. */
const isNoFigure = (mention: Mention, { told, asked, listed }: Check): boolean => {
  const { code, readings, isPerhapsYear } = mention;
  if (readings.some(({ value }) => asked.values.has(value))) return true;
  if (code !== undefined && asked.codes.has(code)) return true;
  const [reading] = readings;
  if (reading && listed.has(reading.value) && isCount(mention, told)) return true;
  if (code === undefined || told.findCode(code) === undefined) return false;
  return isPerhapsYear || isCode(mention, told);
};

const statementWords =
  /(?:^|[^\p{L}])(?:is|was|are|were|be|been|equals?|totals?|totall?ed|reached|amounts?|amounted|to|of|at|by|about|around|only|just|exactly|ist|war|sind|waren|beträgt|betrug|betragen|liegt|lag|bei|auf|um|von|nur|genau|est|était|es|fue|son)[ \u00a0*_`:"(]*$|[=~≈→>][ \u00a0*_`]*$/iu;

/** Whether digits name something: not after "is", and not beside the name of a column of numbers. */
const isCode = ({ before, table, code }: Mention, told: ToldValues): boolean => {
  if (code?.includes('.')) return true;
  const near = before.slice(-80);
  if (statementWords.test(near)) return false;
  const [word = ''] = /\p{L}{3,}(?=[^\p{L}\n]*$)/u.exec(near) ?? [];
  const labels = table ? `${table.head} ${table.column > 0 ? table.label : ''}` : word;
  return ![...labels.matchAll(/\p{L}{3,}/gu)].some(([label]) => told.isMeasure(label));
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
