/**
 * A JSON text of up to some megabytes, read in steps: a list or object of many entries is put together of groups of them,
 * each parsed by the engine. The value is that of JSON.parse, which holds the event loop for 100 ms over a megabyte of
 * small objects. Nesting is bounded by the caller; of the members of one object the first 10,000 are kept, since to list
 * the names of 90,000 alone takes 50 ms.
 */
import { hasMoreValuesThan } from '@tessera/contracts';
import type { SlicedWork } from '@tessera/fair-queue';

/** A group of entries; about half a millisecond. Containers inside each other may each have one pending. */
const stepLength = 4 * 1024;

/** More than any request has in one object. */
export const maxJsonMembers = 10_000;

type List = unknown[];
type Members = Record<string, unknown>;

/** A list or object that is open where the reader stands. */
type Open = {
  readonly start: number;
  /** Behind the last comma between its entries, or behind its bracket. */
  entryAt: number;
  /** Made when it turns out to be long; until then its text waits for the container around it. */
  value?: List | Members;
  /** Of a made one: up to here its entries are in it. */
  from: number;
  /** Of a made object: the members that were added. */
  members: number;
  /** Of a made one: the last entry was made apart, so that a comma or the end comes next. */
  isBehindChild: boolean;
};

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = [34, 92, 44, 91, 93, 123, 125];
const blankPattern = /^[ \t\n\r]*$/;

/** Throws a SyntaxError where the text is no JSON. `tellCut`: an object has more members than are kept. */
export function* parseJsonSliced(text: string, tellCut: () => void = refuseTooManyMembers): SlicedWork<unknown> {
  if (text.length <= stepLength) return parseText(text);
  const opened: Open[] = [];
  let root: Open | undefined;
  let end = 0;
  let isQuoted = false;
  let pauseAt = 0;
  for (let at = 0; at < text.length; at++) {
    if (at >= pauseAt) {
      yield;
      pauseAt = at + stepLength;
    }
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code === backslash) at++;
      else if (code === quote) isQuoted = false;
    } else if (code === quote) isQuoted = true;
    else if (code === openList || code === openObject) {
      const open: Open = { start: at, entryAt: at + 1, from: at + 1, members: 0, isBehindChild: false };
      if (opened.length === 0 && root) throw unexpectedTextError(at);
      if (opened.length === 0) root = open;
      opened.push(open);
    } else if (code === closeList || code === closeObject) {
      closeContainer({ text, opened, tellCut }, at);
      end = at + 1;
    } else if (code === comma) endEntry({ text, opened, tellCut }, at);
  }
  yield;
  if (!root?.value) return parseText(text);
  if (opened.length > 0 || isQuoted) throw unexpectedTextError(text.length);
  if (!blankPattern.test(text.slice(0, root.start)) || !blankPattern.test(text.slice(end)))
    throw unexpectedTextError(end);
  return root.value;
}

const refuseTooManyMembers = (): never => {
  throw new SyntaxError(`An object has more than ${maxJsonMembers} members`);
};

const parseText = (text: string): unknown => JSON.parse(text);

const unexpectedTextError = (at: number): SyntaxError => new SyntaxError(`Unexpected text in JSON at position ${at}`);

type ParseState = { readonly text: string; readonly opened: Open[]; readonly tellCut: () => void };

const endEntry = (reading: ParseState, at: number): void => {
  const { text, opened } = reading;
  const open = opened.at(-1);
  if (!open) throw unexpectedTextError(at);
  if (open.isBehindChild) {
    if (!blankPattern.test(text.slice(open.from, at))) throw unexpectedTextError(open.from);
    open.isBehindChild = false;
    open.from = at + 1;
  } else if (at - open.from >= stepLength) addEntries(reading, open, makeContainer(reading, opened.length - 1), at);
  open.entryAt = at + 1;
};

const closeContainer = (reading: ParseState, at: number): void => {
  const { text, opened } = reading;
  const open = opened.pop();
  if (!open) throw unexpectedTextError(at);
  if (!open.value) return;
  const isList = text.charCodeAt(open.start) === openList;
  if (isList !== (text.charCodeAt(at) === closeList)) throw unexpectedTextError(at);
  if (!open.isBehindChild) addEntries(reading, open, open.value, at);
  else if (!blankPattern.test(text.slice(open.from, at))) throw unexpectedTextError(open.from);
  const around = opened.at(-1);
  if (around) [around.from, around.isBehindChild] = [at + 1, true];
};

/** The container at that depth, made with all around it; the entries before it come first. */
const makeContainer = (reading: ParseState, depth: number): List | Members => {
  const { text, opened } = reading;
  const open = opened[depth];
  if (!open) throw unexpectedTextError(0);
  if (open.value) return open.value;
  open.value = text.charCodeAt(open.start) === openList ? [] : {};
  const around = opened[depth - 1];
  if (!around) return open.value;
  const value = makeContainer(reading, depth - 1);
  if (around.isBehindChild) throw unexpectedTextError(open.start);
  if (around.entryAt > around.from) addEntries(reading, around, value, around.entryAt - 1);
  const before = text.slice(around.entryAt, open.start);
  if (Array.isArray(value)) {
    if (!blankPattern.test(before)) throw unexpectedTextError(around.entryAt);
    value.push(open.value);
  } else addMember(reading, around, value, [nameIn(before), open.value]);
  return open.value;
};

/** Of `"name":`; what a number would go on after, as in `"name":1`, null does not. */
const nameIn = (text: string): string => {
  const [name, ...others] = Object.keys(JSON.parse(`{${text}null}`) as object);
  if (name === undefined || others.length > 0) throw unexpectedTextError(0);
  return name;
};

/** All entries between `from` and `end`, of which there is at least one. */
const addEntries = (reading: ParseState, open: Open, value: List | Members, end: number): void => {
  const slice = reading.text.slice(open.from, end);
  if (blankPattern.test(slice)) throw unexpectedTextError(end);
  if (Array.isArray(value)) for (const entry of JSON.parse(`[${slice}]`) as List) value.push(entry);
  else
    for (const member of Object.entries(JSON.parse(`{${slice}}`) as Members)) addMember(reading, open, value, member);
  open.from = end + 1;
};

/** As the engine does: a member of any name, also of one that assignment would take for the prototype. */
const addMember = (
  { tellCut }: ParseState,
  open: Open,
  members: Members,
  [name, value]: readonly [string, unknown],
): void => {
  if (++open.members > maxJsonMembers) tellCut();
  else if (name !== '__proto__') members[name] = value;
  else Object.defineProperty(members, name, { value, configurable: true, enumerable: true, writable: true });
};

/** What has fewer values is left to the engine. */
const stepValues = 500;

export function* stringifyJsonSliced(value: unknown): SlicedWork<string> {
  const parts: string[] = [];
  yield* writeValue(value, parts);
  return parts.join('');
}

function* writeValue(value: unknown, parts: string[]): SlicedWork<void> {
  if (typeof value !== 'object' || value === null || !hasMoreValuesThan(value, stepValues)) {
    parts.push(JSON.stringify(value) ?? 'null');
    return;
  }
  if (Array.isArray(value)) yield* writeList(value, parts);
  else yield* writeObject(value, parts);
}

function* writeList(list: readonly unknown[], parts: string[]): SlicedWork<void> {
  for (let index = 0; index < list.length; index++) {
    parts.push(index === 0 ? '[' : ',');
    yield* writeValue(list[index], parts);
    yield;
  }
  parts.push(list.length === 0 ? '[]' : ']');
}

function* writeObject(members: object, parts: string[]): SlicedWork<void> {
  let isFirst = true;
  for (const name of Object.keys(members)) {
    const member: unknown = Reflect.get(members, name);
    if (member === undefined) continue;
    parts.push(isFirst ? '{' : ',', JSON.stringify(name), ':');
    isFirst = false;
    yield* writeValue(member, parts);
    yield;
  }
  parts.push(isFirst ? '{}' : '}');
}
