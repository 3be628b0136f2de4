/**
 * Where a text stops to be JSON and what would go on. Runs only after JSON.parse has refused the text, since what that
 * says depends on the engine and holds no position for short texts. Runs in steps; nesting is bounded by its caller.
 */
import type { SlicedWork } from '@tessera/fair-queue';

type JsonFault = {
  /** Zero-based. */
  readonly position: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly expected: string;
};

class UnexpectedInput extends Error {
  constructor(
    readonly position: number,
    readonly expected: string,
  ) {
    super(expected);
  }
}

const whitespacePattern = /[ \t\n\r]*/y;
const plainTextPattern = /[^"\\\u0000-\u001f]*/y;
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const literalPattern = /true|false|null/y;

export function* findJsonFault(text: string): SlicedWork<JsonFault> {
  const { position, expected } = yield* findUnexpectedInput(text);
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  return { position, line, column: position - before.lastIndexOf('\n'), expected };
}

function* findUnexpectedInput(text: string): SlicedWork<{ readonly position: number; readonly expected: string }> {
  const reader = new Reader(text);
  try {
    yield* reader.value();
    reader.end();
  } catch (error) {
    if (error instanceof UnexpectedInput) return error;
    throw error;
  }
  return { position: text.length, expected: 'the end of the body' };
}

/** Entries and parts of strings. */
const stepLength = 1_000;

class Reader {
  #at = 0;
  #taken = 0;
  constructor(private readonly text: string) {}

  *value(): SlicedWork<void> {
    this.#skip(whitespacePattern);
    const next = this.text[this.#at];
    if (next === '{') yield* this.#list('}', 'a member or }');
    else if (next === '[') yield* this.#list(']', 'a value or ]');
    else if (next === '"') yield* this.#string();
    else if (!this.#skip(literalPattern) && !this.#skip(numberPattern)) throw new UnexpectedInput(this.#at, 'a value');
    this.#skip(whitespacePattern);
  }

  end(): void {
    if (this.#at < this.text.length) throw new UnexpectedInput(this.#at, 'the end of the body');
  }

  *#list(close: '}' | ']', first: string): SlicedWork<void> {
    this.#at++;
    this.#skip(whitespacePattern);
    if (this.text[this.#at] === close) return void this.#at++;
    if (this.#at >= this.text.length) throw new UnexpectedInput(this.#at, first);
    for (;;) {
      if (++this.#taken % stepLength === 0) yield;
      if (close === '}') yield* this.#name();
      yield* this.value();
      const next = this.text[this.#at];
      if (next !== ',' && next !== close) throw new UnexpectedInput(this.#at, `a comma or ${close}`);
      this.#at++;
      if (next === close) return;
    }
  }

  *#name(): SlicedWork<void> {
    this.#skip(whitespacePattern);
    if (this.text[this.#at] !== '"') throw new UnexpectedInput(this.#at, 'a member name in double quotes');
    yield* this.#string();
    this.#skip(whitespacePattern);
    if (this.text[this.#at] !== ':') throw new UnexpectedInput(this.#at, 'a colon');
    this.#at++;
  }

  *#string(): SlicedWork<void> {
    this.#at++;
    do {
      if (++this.#taken % stepLength === 0) yield;
      this.#skip(plainTextPattern);
    } while (this.#skip(escapePattern));
    if (this.text[this.#at] !== '"')
      throw new UnexpectedInput(
        this.#at,
        this.text[this.#at] === '\\' ? 'an escape such as \\n or \\u0041' : 'the rest of the string and "',
      );
    this.#at++;
  }

  /** True when the pattern took at least one character. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const length = pattern.exec(this.text)?.[0].length ?? 0;
    this.#at += length;
    return length > 0;
  }
}
