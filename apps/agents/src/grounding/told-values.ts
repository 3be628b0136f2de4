/**
 * What the tools of a turn told: numbers with the cell that each stands in, counts of rows, and the codes and numbers in texts.
 * Results that say that a call failed tell nothing, and no call tells what the model itself put into its arguments.
 */
import type { GroundingCell, TurnStep } from '@tessera/contracts/agents';
import { readMentions } from './read-mentions.js';

export type ToolStep = Extract<TurnStep, { kind: 'tool' }>;

/** A cell is made when it is asked for: most of what a tool tells is never said. */
type CellOf = () => GroundingCell;

export type ToldNumber = {
  readonly value: number;
  readonly cell: CellOf;
  /** A whole number of something that is not said to be a rate: no per cent. */
  readonly isCount: () => boolean;
};

/** Digits that stand by themselves. */
type ToldCode = {
  readonly cell: CellOf;
  /** In a cell of their own. */
  isWhole: boolean;
  /** The stems of words that stand at once before or after them. */
  readonly beside: Set<string>;
};

type ToldText = {
  readonly text: string;
  readonly cell: CellOf;
  readonly isName: boolean;
  /** What the model itself wrote into the call. */
  readonly given: ReadonlySet<number>;
};

/** Numbers of a column in the order of the rows. */
export type ToldColumn = { readonly cell: GroundingCell; readonly values: readonly number[]; readonly sum: number };

export class ToldValues {
  readonly #numbers: ToldNumber[] = [];
  readonly #texts: ToldText[] = [];
  readonly #counts = new Map<number, GroundingCell>();
  readonly #columns: ToldColumn[] = [];
  /** Words in the names of columns with numbers. */
  readonly #measures = new Set<string>();
  /** Words in the names of columns of text: the supplier of a "Supplier rating" is none. */
  readonly #labels = new Set<string>();
  readonly #names = new Set<string>();
  /** What was named already: members of documents have the same names over and over. */
  readonly #named = new Set<string>();
  #sorted: readonly ToldNumber[] | undefined;
  #sortedInTexts: readonly ToldNumber[] | undefined;
  /** Of dates. */
  readonly #years = new Set<string>();
  #codes: ReadonlyMap<string, ToldCode> | undefined;
  #tokens: ReadonlySet<string> | undefined;

  constructor(steps: readonly TurnStep[]) {
    for (const step of steps) if (step.kind === 'tool' && !step.isError) this.#add(step);
  }

  /** The told number that is nearest to `value`, no farther than `half`; a negative `value` needs a negative one. */
  find(value: number, half: number, accepts: Accepts = all): ToldNumber | undefined {
    this.#sorted ??= sortByMagnitude(this.#numbers);
    return nearest(this.#sorted, value, half, accepts);
  }

  /** The same among the numbers that stand in texts, exactly. */
  findInTexts(value: number, accepts: Accepts = all): ToldNumber | undefined {
    this.#sortedInTexts ??= sortByMagnitude(this.#texts.flatMap(numbersIn));
    return nearest(this.#sortedInTexts, value, 0, accepts);
  }

  /** Digits that stand by themselves in a text or a name, but for those of dates. */
  findCode(digits: string): ToldCode | undefined {
    this.#codes ??= readCodes(this.#texts);
    return this.#codes.get(digits);
  }

  isYear(digits: string): boolean {
    return this.#years.has(digits) || this.findCode(digits) !== undefined;
  }

  /** Whether a word with digits, such as `KPI42`, stands in what was told. */
  hasToken(name: string): boolean {
    this.#tokens ??= new Set([
      ...this.#texts.flatMap(({ text, given }) => tokensIn(text).filter((token) => !hasNumberOf(token, given))),
      ...[...this.#named].flatMap(tokensIn),
    ]);
    return this.#tokens.has(name.toLowerCase());
  }

  findCount(value: number): GroundingCell | undefined {
    return this.#counts.get(value);
  }

  get columns(): readonly ToldColumn[] {
    return this.#columns;
  }

  isMeasure(word: string): boolean {
    return this.#measures.has(word.toLowerCase()) && !this.#labels.has(word.toLowerCase());
  }

  /** Whether a word is among the names of what was told, in the singular or the plural. */
  isName(word: string): boolean {
    return this.#names.has(stemOf(word));
  }

  #add(step: ToolStep): void {
    const { callId, tool, evidence } = step;
    const source = { callId, tool, ...(evidence !== undefined && { evidence }) };
    const value = parse(step.result);
    const given = numbersOf(step.arguments);
    if (value === undefined) return this.#addCut(step.result, source, given);
    const search = memberOf(value, 'search_result');
    if (typeof search === 'string') return this.#walk(parse(search) ?? search, source, { isSearch: true });
    const frame = memberOf(value, 'data_frame_content');
    if (frame !== undefined) return this.#addFrame(value, frame, source);
    this.#walk(value, source, { given });
  }

  #addFrame(value: unknown, frame: unknown, source: GroundingCell): void {
    const rows = itemsOf(memberOf(frame, 'data'));
    const columns = itemsOf(memberOf(frame, 'schema')).map((column) => ({
      id: textIn(column, 'id'),
      name: textIn(column, 'displayName'),
      isText: !/^(?:integer|float|number|)$/i.test(textIn(column, 'type')),
    }));
    const texts = new Set(columns.flatMap(({ id, isText }) => (isText ? [id] : [])));
    const rates = new Set(columns.flatMap(({ id, name }) => (rateWords.test(`${id} ${name}`) ? [id] : [])));
    for (const { id, name, isText } of columns) {
      this.#nameColumn(`${id} ${name}`, !isText);
      if (isText) for (const word of wordsIn(`${id} ${name}`)) this.#labels.add(word);
    }
    const series = new Map<string, number[]>();
    const wholes = new Set<string>();
    for (const [index, row] of rows.entries())
      for (const [column, cell] of membersOf(row)) {
        const place = (): GroundingCell => ({ ...source, row: index + 1, column });
        const number = texts.has(column) ? undefined : numberOf(cell);
        if (number === undefined) {
          if (typeof cell === 'string') this.#addText({ text: cell, cell: place, isName: true, given: none });
          continue;
        }
        this.#numbers.push({ value: number, cell: place, isCount: () => wholes.has(column) && !rates.has(column) });
        const values = series.get(column);
        if (values) values.push(number);
        else series.set(column, [number]);
      }
    for (const [column, values] of series) {
      if (values.every(Number.isInteger)) wholes.add(column);
      this.#columns.push({ cell: { ...source, column }, values, sum: values.reduce((sum, each) => sum + each, 0) });
    }
    this.#count(rows.length, source);
    const total = memberOf(value, 'total');
    if (typeof total === 'number') this.#count(total, source);
  }

  /** Of a date only the year says something by itself. */
  #addText(told: ToldText): void {
    const text = told.text.replaceAll(dateShape, (_, first?: string, last?: string) => {
      this.#years.add(first ?? last ?? '');
      return ' ';
    });
    this.#texts.push(told.isName ? { ...told, text } : told);
  }

  #nameColumn(text: string, isMeasure: boolean): void {
    const key = isMeasure ? `${text} #` : text;
    if (this.#named.has(key)) return;
    this.#named.add(key);
    for (const word of wordsIn(text)) {
      this.#names.add(stemOf(word));
      if (isMeasure) this.#measures.add(word);
    }
  }

  #count(value: number, source: GroundingCell): void {
    this.#counts.set(value, { ...source, column: 'total' });
  }

  /** Everything else that a tool may answer; without recursion, since it may be deep. */
  #walk(root: unknown, source: GroundingCell, { isSearch = false, given = none }: WalkOptions): void {
    const open: Node[] = [{ value: root }];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const node = at;
      const { value } = node;
      const cell: CellOf = () => ({ ...source, ...columnOf(node) });
      const number = numberOf(value);
      const isCount = () => number !== undefined && Number.isInteger(number) && !rateWords.test(cell().column ?? '');
      if (number !== undefined && !isSearch && !given.has(number)) this.#numbers.push({ value: number, cell, isCount });
      if (typeof value === 'string') this.#addText({ text: value, cell, isName: isSearch, given });
      if (Array.isArray(value)) {
        if (!isSearch) this.#count(value.length, source);
        for (const [index, inner] of value.entries()) open.push({ value: inner, name: String(index), parent: node });
        continue;
      }
      for (const [name, inner] of membersOf(value)) {
        this.#nameColumn(name, typeof inner === 'number');
        open.push({ value: inner, name, parent: node });
      }
    }
  }

  /** What is no JSON: a text, or a result that was cut. Its numbers count without a cell, but for the last, which may be cut as well. */
  #addCut(text: string, source: GroundingCell, given: ReadonlySet<number>): void {
    const isFrame = /"data_frame_content"\s*:/.test(text.slice(0, envelopeMax));
    const begin = isFrame ? /"data"\s*:\s*\[/.exec(text)?.index : 0;
    const [, total] = (isFrame && /"total"\s*:\s*(\d{1,15})(?=\D)/.exec(text.slice(0, begin))) || [];
    if (total !== undefined) this.#count(Number(total), source);
    if (!/^\s*\{\s*"search_result"/.test(text))
      for (const [, number] of text.slice(begin ?? text.length).matchAll(numberOfMember))
        if (isFrame || !given.has(Number(number)))
          this.#numbers.push({ value: Number(number), cell: () => source, isCount: () => false });
    const isJson = /^\s*[{[]/.test(text);
    const texts = isJson ? [...text.matchAll(/"((?:[^"\\]|\\.){1,2000})"/g)].map(([, inner = '']) => inner) : [text];
    for (const each of texts) this.#addText({ text: each, cell: () => source, isName: isJson, given });
  }
}

/** What stands before the rows: the page and the total. */
const envelopeMax = 300;
const numberOfMember = /[:[,]\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}\]])/g;
const dateShape =
  /(?<!\d)(?:((?:19|20)\d\d)-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?|\d{1,2}[./]\d{1,2}[./]((?:19|20)\d\d))(?!\d)/g;
const rateWords =
  /per ?cent|pct|%|prozent|rat(?:e|es|io|ing)(?![a-z])|share|quot[ae]|anteil|margin|marge|yield|util|degree|grad(?![a-z])|on[-_ ]?time|otif|otd|growth|level|score|index|progress|probab|accuracy|coverage/i;

type WalkOptions = { readonly isSearch?: boolean; readonly given?: ReadonlySet<number> };
const none: ReadonlySet<number> = new Set();
const pathMax = 200;

type Node = { readonly value: unknown; readonly name?: string; readonly parent?: Node };

const columnOf = (node: Node): Pick<GroundingCell, 'column'> => {
  const names: string[] = [];
  for (let at: Node | undefined = node; at?.name !== undefined && names.length < pathMax; at = at.parent)
    names.push(at.name);
  return names.length === 0 ? {} : { column: names.toReversed().join('.').slice(0, pathMax) };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

const textIn = (value: unknown, name: string): string => {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : '';
};

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

/** Numbers may be written as texts. */
const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d{1,300}(?:\.\d{1,300})?$/.test(value) ? Number(value) : undefined;
};

/** In arguments, also inside their texts. */
const numbersOf = (given: unknown): ReadonlySet<number> =>
  new Set([...JSON.stringify(given ?? null).matchAll(/\d+(?:\.\d+)?/g)].map(([digits]) => Number(digits)));

/** Plural and singular are one word, in English and, nearly, in German. */
export const stemOf = (word: string): string => word.toLowerCase().replace(/(?:ies|y|es|s|en|n|e)$/, '');

const sortByMagnitude = (numbers: readonly ToldNumber[]): readonly ToldNumber[] =>
  numbers.toSorted((left, right) => Math.abs(left.value) - Math.abs(right.value));

const noise = 1e-9;

type Accepts = (told: ToldNumber) => boolean;
const all: Accepts = () => true;

const nearest = (
  sorted: readonly ToldNumber[],
  value: number,
  half: number,
  accepts: Accepts,
): ToldNumber | undefined => {
  const wanted = Math.abs(value);
  const slack = half + Math.max(wanted, half) * noise;
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Math.abs(sorted[middle]?.value ?? 0) < wanted - slack) low = middle + 1;
    else high = middle;
  }
  let best: ToldNumber | undefined;
  for (let at = low; at < sorted.length && at < low + nearestMax; at++) {
    const told = sorted[at];
    if (!told || Math.abs(told.value) > wanted + slack) break;
    if ((value < 0 && told.value > 0) || !accepts(told)) continue;
    if (best === undefined || distance(told, wanted) <= distance(best, wanted)) best = told;
  }
  return best;
};

/** So many are compared; the first of them is a match as well. */
const nearestMax = 1_000;

const distance = ({ value }: ToldNumber, wanted: number): number => Math.abs(Math.abs(value) - wanted);

/** A name is a code as a whole, whatever digits it has; only other texts state numbers. */
const numbersIn = ({ text, cell, isName, given }: ToldText): readonly ToldNumber[] =>
  isName
    ? []
    : readMentions(text).flatMap(({ readings, isNegative, name }) =>
        readings.flatMap(({ value }) =>
          name !== undefined || given.has(value)
            ? []
            : [{ value: isNegative ? -value : value, cell, isCount: () => false }],
        ),
      );

const readCodes = (texts: readonly ToldText[]): ReadonlyMap<string, ToldCode> => {
  const codes = new Map<string, ToldCode>();
  for (const { text, cell, given } of texts)
    for (const found of text.matchAll(/(?<![\p{N}.,])\d+(?:\.\d+)*(?![.,]?\p{N})/gu)) {
      const [digits] = found;
      if (given.has(Number(digits))) continue;
      const code = codes.get(digits) ?? { cell, isWhole: false, beside: new Set() };
      codes.set(digits, code);
      if (text.trim() === digits) code.isWhole = true;
      const end = found.index + digits.length;
      for (const word of [
        /(\p{L}{2,})[^\p{L}\p{N}\n]{0,3}$/u.exec(text.slice(Math.max(0, found.index - besideMax), found.index))?.[1],
        /^[^\p{L}\p{N}\n]{0,3}(\p{L}{2,})/u.exec(text.slice(end, end + besideMax))?.[1],
      ])
        if (word !== undefined) code.beside.add(stemOf(word));
    }
  return codes;
};

const besideMax = 40;

/** Words that have both letters and digits, in lower case. */
export const tokensIn = (text: string): readonly string[] =>
  [...text.matchAll(/[\p{L}\p{N}_]+/gu)].flatMap(([word]) =>
    /\p{N}/u.test(word) && /\p{L}/u.test(word) ? [word.toLowerCase()] : [],
  );

const hasNumberOf = (token: string, given: ReadonlySet<number>): boolean =>
  [...token.matchAll(/\d+/g)].some(([digits]) => given.has(Number(digits)));
