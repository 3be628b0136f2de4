/** What a service keeps of each team: read again when the team's revision in the database is another one. */
import { SingleFlight } from '@tessera/service-kit';
import { LRUCache } from 'lru-cache';

type RevisionCacheOptions<Kept> = {
  /** Undefined for a team that has nothing yet. */
  readonly readRevision: (team: string) => Promise<string | undefined>;
  /** `before`: what was kept until now, most of which can be kept on. Undefined for a team that has nothing. */
  readonly read: (team: string, before: Kept | undefined) => Promise<Kept | undefined>;
  /** Characters or so. */
  readonly sizeOf: (kept: Kept) => number;
  readonly teamsMax: number;
  readonly sizeMax: number;
  /** How long a revision is not looked at again; 0 where the next request sees what was published before it. */
  readonly freshMs: number;
  /** What a look waits for before it begins, so that more who ask at that time share it. */
  readonly gather?: () => Promise<unknown>;
};

export class RevisionCache<Kept extends { readonly revision: string }> {
  readonly #teams: LRUCache<string, Kept>;
  /** Until when, by the clock of this process, what is kept of a team needs no look. */
  readonly #freshUntilMs: LRUCache<string, number>;
  readonly #revisions: SingleFlight<string | undefined>;
  readonly #reading: SingleFlight<Kept | undefined>;

  constructor(private readonly options: RevisionCacheOptions<Kept>) {
    const { readRevision, sizeOf, gather, teamsMax: max, sizeMax: maxSize } = options;
    this.#teams = new LRUCache({
      ...{ max, maxSize },
      // The cache wants at least 1. A team that alone is too large is kept in place of all others.
      sizeCalculation: (kept) => Math.min(Math.max(sizeOf(kept), 1), maxSize),
    });
    this.#freshUntilMs = new LRUCache({ max });
    this.#revisions = new SingleFlight(readRevision, gather && { gather });
    this.#reading = new SingleFlight((team) => this.#read(team));
  }

  /** Undefined for a team that has nothing. Concurrent callers share each look into the database. */
  async of(team: string): Promise<Kept | undefined> {
    const nowMs = performance.now();
    const kept = this.#teams.get(team);
    if (kept && nowMs < (this.#freshUntilMs.get(team) ?? 0)) return kept;
    const revision = await this.#revisions.run(team);
    if (revision === undefined) return undefined;
    const current = kept?.revision === revision ? kept : await this.#reading.run(team);
    if (this.options.freshMs > 0) this.#freshUntilMs.set(team, nowMs + this.options.freshMs);
    return current;
  }

  /** What is kept of a team, and how much longer it needs no look. */
  peek(team: string): { readonly kept: Kept | undefined; readonly freshForMs: number } {
    const freshForMs = Math.max(0, (this.#freshUntilMs.peek(team) ?? 0) - performance.now());
    return { kept: this.#teams.peek(team), freshForMs };
  }

  async #read(team: string): Promise<Kept | undefined> {
    const read = await this.options.read(team, this.#teams.get(team));
    if (read) this.#teams.set(team, read);
    return read;
  }
}
