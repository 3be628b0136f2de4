/**
 * Work for a key that is shared by everybody who asks before it begins: what a caller gets was begun after it had asked.
 * Refuses: to do the same work twice at once; whoever asks meanwhile shares the next one.
 */
type Entry<T> = { readonly running: Promise<T>; next?: Promise<T> };

export class SharedWork<T> {
  readonly #entries = new Map<string, Entry<T>>();

  constructor(private readonly work: (key: string) => Promise<T>) {}

  /** Rejects as the work does. */
  of(key: string): Promise<T> {
    const entry = this.#entries.get(key);
    if (!entry) return this.#begin(key);
    entry.next ??= entry.running.then(ignored, ignored).then(() => this.#begin(key));
    return entry.next;
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

const ignored = (): void => undefined;
