/**
 * Looks at what a team has once more after a while, once for each reason that is given: looks that each brought about another one would
 * become more and more.
 */
export class LaterLooks {
  /** By team and reason. */
  readonly #planned = new Set<string>();

  constructor(private readonly look: (team: string) => unknown) {}

  /** Does nothing where a look for that reason is planned. Keeps no process from ending. */
  plan(team: string, reason: string, waitMs: number): void {
    const key = `${team} ${reason}`;
    if (this.#planned.has(key)) return;
    this.#planned.add(key);
    setTimeout(() => {
      this.#planned.delete(key);
      this.look(team);
    }, waitMs).unref();
  }
}
