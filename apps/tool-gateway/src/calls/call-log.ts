/**
 * Writes the log of calls: rows of a team that wait go together, one statement at a time, and the next takes all that
 * gathered meanwhile. A call is answered when its row is there.
 * Refuses: to drop a row silently; who waits for it hears that it could not be written.
 */
import type { Pool } from '@tessera/persistence';
import { insertCalls, type CallRow } from './call-log.repository.js';

type Waiting = { readonly row: CallRow; readonly resolve: () => void; readonly reject: (reason: unknown) => void };

/** Of one statement. */
const rowsMax = 500;

export class CallLog {
  /** Of teams for whom a statement runs. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(private readonly pool: Pool) {}

  /** Resolves when the row is there; rejects with the error of PostgreSQL. */
  add(team: string, row: CallRow): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = { row, resolve, reject };
      const waiting = this.#waiting.get(team);
      if (waiting) return void waiting.push(entry);
      const own = [entry];
      this.#waiting.set(team, own);
      void this.#write(team, own);
    });
  }

  async #write(team: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      const entries = waiting.splice(0, rowsMax);
      try {
        await insertCalls(
          this.pool,
          team,
          entries.map(({ row }) => row),
        );
        entries.forEach(({ resolve }) => resolve());
      } catch (error) {
        entries.forEach(({ reject }) => reject(error));
      }
    }
    this.#waiting.delete(team);
  }
}
