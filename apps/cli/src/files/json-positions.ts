/**
 * Parses JSON into a tree of positions, and says where a text stops being JSON. Used only after JSON.parse has failed
 * or a fault was found.
 */
import type { PositionedMember, PositionedNode } from './positioned-node.js';

type PositionedJson =
  | { readonly ok: true; readonly node: PositionedNode }
  | { readonly ok: false; readonly offset: number; readonly expected: string };

export const maxJsonDepth = 64;

export const parseJsonPositions = (text: string): PositionedJson => {
  const reader = new Reader(text);
  try {
    const node = reader.value(0);
    reader.end();
    return { ok: true, node };
  } catch (error) {
    if (error instanceof JsonStop) return { ok: false, offset: error.offset, expected: error.expected };
    throw error;
  }
};

class JsonStop extends Error {
  constructor(
    readonly offset: number,
    readonly expected: string,
  ) {
    super(expected);
  }
}

const blankPattern = /[ \t\n\r]*/y;
const stringPattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const wordPattern = /true|false|null/y;

class Reader {
  #at = 0;
  constructor(private readonly text: string) {}

  value(depth: number): PositionedNode {
    this.#take(blankPattern);
    const offset = this.#at;
    if (depth > maxJsonDepth) throw new JsonStop(offset, `at most ${maxJsonDepth} levels of nesting`);
    const next = this.text[offset];
    if (next === '{') return { kind: 'map', offset, members: this.#list('}', () => this.#member(depth)) };
    if (next === '[') return { kind: 'list', offset, members: this.#list(']', (index) => this.#item(index, depth)) };
    if (!this.#take(stringPattern) && !this.#take(numberPattern) && !this.#take(wordPattern))
      throw new JsonStop(offset, 'a value');
    return { kind: 'scalar', offset, bare: false };
  }

  end(): void {
    this.#take(blankPattern);
    if (this.#at < this.text.length) throw new JsonStop(this.#at, 'the end of the line');
  }

  #list(close: string, entry: (index: number) => PositionedMember): readonly PositionedMember[] {
    const members: PositionedMember[] = [];
    this.#at++;
    this.#take(blankPattern);
    if (this.text[this.#at] === close) {
      this.#at++;
      return members;
    }
    for (;;) {
      members.push(entry(members.length));
      this.#take(blankPattern);
      const next = this.text[this.#at];
      if (next !== ',' && next !== close) throw new JsonStop(this.#at, `a comma or ${close}`);
      this.#at++;
      if (next === close) return members;
    }
  }

  #member(depth: number): PositionedMember {
    this.#take(blankPattern);
    const offset = this.#at;
    if (!this.#take(stringPattern)) throw new JsonStop(offset, 'a member name in double quotes');
    const name: unknown = JSON.parse(this.text.slice(offset, this.#at));
    this.#take(blankPattern);
    if (this.text[this.#at] !== ':') throw new JsonStop(this.#at, 'a colon');
    this.#at++;
    return { name: String(name), offset, node: this.value(depth + 1) };
  }

  #item(index: number, depth: number): PositionedMember {
    const node = this.value(depth + 1);
    return { name: String(index), offset: node.offset, node };
  }

  /** True when the pattern took at least one character. */
  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const length = pattern.exec(this.text)?.[0].length ?? 0;
    this.#at += length;
    return length > 0;
  }
}
