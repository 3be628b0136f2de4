/**
 * Decides which statement texts are prepared: those that were used before, the most recent of them, since every connection
 * keeps what it prepares. Never grows beyond its limit, and never prepares very long texts.
 */
import { createHash } from 'node:crypto';

/** PostgreSQL keeps some hundred times as much of a statement, on each connection. */
const preparedCharactersMax = 50_000;

export class StatementNameCache {
  /** In the order of their last use. Undefined: used once. */
  readonly #names = new Map<string, string | undefined>();

  constructor(private readonly textsMax: number) {}

  /** Unique for the text; undefined at its first use, and for a very long one always. */
  nameFor(text: string): string | undefined {
    if (text.length > preparedCharactersMax) return undefined;
    const isKnown = this.#names.has(text);
    const name = isKnown ? (this.#names.get(text) ?? digestOf(text)) : undefined;
    this.#names.delete(text);
    this.#names.set(text, name);
    for (const oldest of this.#names.keys()) {
      if (this.#names.size <= this.textsMax) break;
      this.#names.delete(oldest);
    }
    return name;
  }
}

const digestOf = (text: string): string => `q_${createHash('sha256').update(text).digest('base64url')}`;

/** The statements that one connection has prepared, or may have: a failure in between leaves it open which. */
export class PreparedStatements {
  /** By name, in the order of their last use; whether it is certain. */
  readonly #confirmed = new Map<string, boolean>();

  constructor(private readonly statementsMax: number) {}

  /** What has to be closed before `name` is prepared; undefined when it is prepared already. */
  use(name: string): readonly string[] | undefined {
    const confirmed = this.#confirmed.get(name);
    this.#confirmed.delete(name);
    this.#confirmed.set(name, confirmed ?? false);
    if (confirmed) return undefined;
    const closing = confirmed === undefined ? [] : [name];
    for (const oldest of this.#confirmed.keys()) {
      if (this.#confirmed.size <= this.statementsMax) break;
      this.#confirmed.delete(oldest);
      closing.push(oldest);
    }
    return closing;
  }

  confirm(name: string): void {
    if (this.#confirmed.has(name)) this.#confirmed.set(name, true);
  }

  unconfirm(name: string): void {
    if (this.#confirmed.has(name)) this.#confirmed.set(name, false);
  }
}
