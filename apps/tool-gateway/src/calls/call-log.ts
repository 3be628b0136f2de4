/**
 * Writes the log of calls: rows of a team that wait go together, one statement at a time, and the next takes all that
 * gathered meanwhile. While other calls of the team are under way a row waits for theirs, for a moment. A call is answered
 * when its row is there.
 * Refuses: to drop a row silently; who waits for it hears that it could not be written.
 */
import type { Pool } from '@tessera/persistence';
import { insertCalls, type CallRow } from './call-log.repository.js';

type Waiting = { readonly row: CallRow; readonly resolve: () => void; readonly reject: (reason: unknown) => void };

type Team = {
  /** Calls that have begun and not ended, those that wait for their row among them. */
  underWay: number;
  isWriting: boolean;
  timer: NodeJS.Timeout | undefined;
  readonly waiting: Waiting[];
};

/** Of one statement. */
const rowsMax = 500;
/** How long a row waits for those of other calls: less than a statement takes when the database is busy. */
const gatheringMs = 2;

export class CallLog {
  readonly #teams = new Map<string, Team>();

  constructor(private readonly pool: Pool) {}

  /** A call of the team is under way until what is answered is called. */
  begin(team: string): () => void {
    const state = this.#of(team);
    state.underWay++;
    return () => {
      state.underWay--;
      this.#forget(team, state);
    };
  }

  /** Resolves when the row is there; rejects with the error of PostgreSQL. */
  add(team: string, row: CallRow): Promise<void> {
    return new Promise((resolve, reject) => {
      const state = this.#of(team);
      state.waiting.push({ row, resolve, reject });
      if (state.isWriting) return;
      if (state.waiting.length >= Math.min(state.underWay, rowsMax)) void this.#write(team, state);
      else state.timer ??= setTimeout(() => void this.#write(team, state), gatheringMs);
    });
  }

  #of(team: string): Team {
    const known = this.#teams.get(team);
    if (known) return known;
    const made = { underWay: 0, isWriting: false, timer: undefined, waiting: [] };
    this.#teams.set(team, made);
    return made;
  }

  async #write(team: string, state: Team): Promise<void> {
    clearTimeout(state.timer);
    state.timer = undefined;
    state.isWriting = true;
    while (state.waiting.length > 0) await this.#insert(team, state.waiting.splice(0, rowsMax));
    state.isWriting = false;
    this.#forget(team, state);
  }

  async #insert(team: string, entries: readonly Waiting[]): Promise<void> {
    const rows = entries.map(({ row }) => row);
    try {
      await insertCalls(this.pool, team, rows);
      for (const { resolve } of entries) resolve();
    } catch (error) {
      for (const { reject } of entries) reject(error);
    }
  }

  #forget(team: string, { underWay, isWriting, waiting }: Team): void {
    if (underWay === 0 && !isWriting && waiting.length === 0) this.#teams.delete(team);
  }
}
