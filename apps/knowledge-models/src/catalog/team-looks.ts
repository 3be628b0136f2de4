/**
 * Looks at what teams have, in the background: one at a time of each team, so that none waits for what is made for another. Calls that wait
 * share one look.
 */
export class TeamLooks {
  readonly #waiting = new Map<string, Promise<void>>();
  /** The last look of each team that has not ended. */
  readonly #running = new Map<string, Promise<void>>();
  /** By team and reason. */
  readonly #planned = new Set<string>();

  /** `look` never rejects. */
  constructor(private readonly look: (team: string) => Promise<void>) {}

  /** Resolves when a look that began after this call has ended. */
  now(team: string): Promise<void> {
    const waiting = this.#waiting.get(team);
    if (waiting) return waiting;
    const begin = async (before: Promise<void> | undefined): Promise<void> => {
      await before;
      this.#waiting.delete(team);
      await this.look(team);
      if (this.#running.get(team) === work) this.#running.delete(team);
    };
    const work = begin(this.#running.get(team));
    this.#waiting.set(team, work);
    this.#running.set(team, work);
    return work;
  }

  /**
   * Once for each reason that is given, since looks that each brought about another one would become more and more. Does nothing where a look
   * for that reason is planned. Keeps no process from ending.
   */
  later(team: string, reason: string, waitMs: number): void {
    const key = `${team} ${reason}`;
    if (this.#planned.has(key)) return;
    this.#planned.add(key);
    setTimeout(() => {
      this.#planned.delete(key);
      void this.now(team);
    }, waitMs).unref();
  }

  /** Resolves when no look goes on. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }
}
