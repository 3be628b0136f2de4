/**
 * Writers of one storage follow each other in the database, each on a connection. Here they wait for that, so that those of
 * one storage never hold all connections: the storages of others go on.
 * Refuses: to keep who has left, or whose deadline has passed.
 */
export class Turns {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, Set<() => void>>();

  /** `atOnce`: how many of one key have their turn at the same time. */
  constructor(private readonly atOnce: number) {}

  /** Ends the turn when it is called; undefined when `signal` aborted before the turn came. */
  async take(key: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    const taken = this.#taken.get(key) ?? 0;
    if (taken < this.atOnce) this.#taken.set(key, taken + 1);
    else if (!(await this.#wait(key, signal))) return undefined;
    return () => this.#end(key);
  }

  /** False when `signal` aborts first. */
  #wait(key: string, signal: AbortSignal): Promise<boolean> {
    const waiting = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, waiting);
    return new Promise((resolve) => {
      const stop = (isTurn: boolean): void => {
        waiting.delete(begin);
        signal.removeEventListener('abort', leave);
        resolve(isTurn);
      };
      const begin = (): void => stop(true);
      const leave = (): void => stop(false);
      signal.addEventListener('abort', leave);
      waiting.add(begin);
    });
  }

  /** The turn goes over to the first who waits. */
  #end(key: string): void {
    const [next] = this.#waiting.get(key) ?? [];
    if (next) return next();
    this.#waiting.delete(key);
    const left = (this.#taken.get(key) ?? 1) - 1;
    if (left > 0) this.#taken.set(key, left);
    else this.#taken.delete(key);
  }
}
