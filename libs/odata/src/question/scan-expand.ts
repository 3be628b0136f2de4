/**
 * `$expand` -> its items, each with the options in its parentheses, and where they stand. Parentheses and quotes inside
 * an option belong to it, so that an option that is not served is known by its name and by nothing in it.
 */
import type { ListItem } from './option-fault.js';

/** `$select=A,B`; without a value when there is no `=`. */
export type ExpandOption = ListItem & { readonly value?: ListItem };

export type ExpandItem = ListItem & { readonly options?: readonly ExpandOption[] };

const name = /\s*([^\s,();]*)\s*/y;

/** The items, or the place where the text is no list of them. */
export const scanExpand = (text: string): readonly ExpandItem[] | number => {
  const items: ExpandItem[] = [];
  for (let at = 0; ; at++) {
    name.lastIndex = at;
    const [whole = '', path = ''] = name.exec(text) ?? [];
    const item = { text: path, start: at + whole.length - whole.trimStart().length };
    at += whole.length;
    const options = path !== '' && text[at] === '(' ? scanOptions(text, at + 1) : undefined;
    items.push({ ...item, ...(options && { options: options.items }) });
    if (options) at = options.end + 1;
    while (/\s/.test(text.charAt(at))) at++;
    if (at >= text.length) return items;
    if (text[at] !== ',') return at;
  }
};

type Options = { readonly items: readonly ExpandOption[]; readonly end: number };

/** Up to the parenthesis that closes what was opened before `start`. */
const scanOptions = (text: string, start: number): Options | undefined => {
  const marks = /'(?:[^']|'')*'|[();]/g;
  marks.lastIndex = start;
  const items: ExpandOption[] = [];
  let [depth, from] = [0, start];
  for (const { 0: mark, index } of text.matchAll(marks)) {
    const isEnd = mark === ')' && depth === 0;
    if (isEnd || (mark === ';' && depth === 0)) {
      items.push(optionIn(text, from, index));
      from = index + 1;
    }
    if (isEnd) return { items, end: index };
    if (mark === '(') depth++;
    if (mark === ')') depth--;
  }
  return undefined;
};

const optionIn = (text: string, start: number, end: number): ExpandOption => {
  const whole = text.slice(start, end);
  const equals = whole.indexOf('=');
  if (equals < 0) return trimmed(whole, start);
  return { ...trimmed(whole.slice(0, equals), start), value: trimmed(whole.slice(equals + 1), start + equals + 1) };
};

const trimmed = (text: string, start: number): ListItem => ({
  text: text.trim(),
  start: start + text.length - text.trimStart().length,
});
