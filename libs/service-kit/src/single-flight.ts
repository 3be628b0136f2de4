/**
 * Work for a key that is shared by everybody who asks before it begins: what a caller gets was begun after it had asked.
 * The same work never runs twice at once; whoever asks meanwhile shares the next one.
 */
export type SingleFlightOptions = {
  /** What a piece of work waits for before it begins, so that more who ask at that time share it. */
  readonly gather?: () => Promise<unknown>;
};

type Entry<T> = { readonly running: Promise<T>; next?: Promise<T> };

export class SingleFlight<T> {
  readonly #entries = new Map<string, Entry<T>>();

  readonly #gathering = new Map<string, Promise<T>>();

  constructor(
    private readonly work: (key: string) => Promise<T>,
    private readonly options: SingleFlightOptions = {},
  ) {}

  /** Rejects as the work does. */
  run(key: string): Promise<T> {
    const entry = this.#entries.get(key);
    if (!entry) return this.#gather(key);
    entry.next ??= entry.running.then(ignore, ignore).then(() => this.#begin(key));
    return entry.next;
  }

  #gather(key: string): Promise<T> {
    const { gather } = this.options;
    if (!gather) return this.#begin(key);
    const known = this.#gathering.get(key);
    if (known) return known;
    const made = gather().then(() => {
      this.#gathering.delete(key);
      return this.#begin(key);
    });
    this.#gathering.set(key, made);
    return made;
  }

  #begin(key: string): Promise<T> {
    const running = this.work(key);
    const entry: Entry<T> = { running };
    this.#entries.set(key, entry);
    const forget = (): void => {
      if (entry.next === undefined) this.#entries.delete(key);
    };
    running.then(forget, forget);
    return running;
  }
}

const ignore = (): void => undefined;
