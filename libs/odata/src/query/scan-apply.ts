/** `$apply` -> its transformations by name, each with what stands in its parentheses, and lists inside of these. */
import type { ListItem } from './option-fault.js';

export type Transformation = {
  /** Empty where none is named. */
  readonly name: string;
  readonly start: number;
  /** What stands in its parentheses; absent without them. */
  readonly inner?: ListItem;
};

/** The transformations, or the place where the text is no chain of them. */
export const scanTransformations = (text: string, from = 0, end = text.length): readonly Transformation[] | number => {
  const found: Transformation[] = [];
  for (let at = from; ; at++) {
    at = skipSpace(text, at, end);
    const start = at;
    while (at < end && /[\w.$]/.test(text.charAt(at))) at++;
    const name = text.slice(start, at);
    at = skipSpace(text, at, end);
    if (text[at] === '(' && at < end) {
      const close = findClosingParenthesis(text, at, end);
      if (close === undefined) return at;
      found.push({ name, start, inner: { text: text.slice(at + 1, close), start: at + 1 } });
      at = skipSpace(text, close + 1, end);
    } else found.push({ name, start });
    if (at >= end) return found;
    if (text[at] !== '/') return at;
  }
};

const groupings: ReadonlySet<string> = new Set(['groupby', 'aggregate']);

/** Whether groups are answered, and not entries. */
export const hasGrouping = (text = ''): boolean => {
  const found = scanTransformations(text);
  return typeof found !== 'number' && found.some(({ name }) => groupings.has(name));
};

/** Texts in single quotes, and phrases of a search in double ones: marks inside of them are none. */
const quotedPattern = /'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"/;

/** Marks, and quoted texts as wholes. `marks`: of a regular expression. */
export const createUnquotedPattern = (marks: string): RegExp => new RegExp(`${quotedPattern.source}|${marks}`, 'gs');

/** The items between commas, without the space around them. */
export const splitNestedList = ({ text, start }: ListItem): readonly ListItem[] => {
  const items: ListItem[] = [];
  let [depth, from] = [0, 0];
  const take = (to: number): void => {
    const item = text.slice(from, to);
    items.push({ text: item.trim(), start: start + from + item.length - item.trimStart().length });
  };
  for (const { 0: mark, index } of text.matchAll(createUnquotedPattern('[(),]'))) {
    if (mark === '(') depth++;
    if (mark === ')') depth--;
    if (mark !== ',' || depth !== 0) continue;
    take(index);
    from = index + 1;
  }
  take(text.length);
  return items;
};

/** Of the one at `at`; texts in quotes are passed over. */
export const findClosingParenthesis = (text: string, at: number, end = text.length): number | undefined => {
  const marks = createUnquotedPattern('[()]');
  marks.lastIndex = at;
  let depth = 0;
  for (let found = marks.exec(text); found && found.index < end; found = marks.exec(text)) {
    if (found[0] === '(') depth++;
    if (found[0] === ')') depth--;
    if (depth === 0) return found.index;
  }
  return undefined;
};

const skipSpace = (text: string, at: number, end: number): number => {
  let next = at;
  while (next < end && /\s/.test(text.charAt(next))) next++;
  return next;
};
