/**
 * What happens between the end of a session and the next sign-in: calls that were refused wait here, the page asks for a sign-in,
 * and they go on.
 */
type Listener = () => void;

export class SessionEnd {
  #waiting: PromiseWithResolvers<void> | undefined;
  readonly #listeners = new Set<Listener>();

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Whether calls wait for a sign-in. */
  readonly isEnded = (): boolean => this.#waiting !== undefined;

  /** Resolves with the next sign-in; rejects with the reason of the signal. */
  readonly signedInAgain = (signal?: AbortSignal): Promise<void> => {
    const begins = this.#waiting === undefined;
    this.#waiting ??= Promise.withResolvers();
    const { promise } = this.#waiting;
    if (begins) this.#tell();
    if (signal === undefined) return promise;
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    return Promise.race([promise, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
  };

  /** The same person is signed in again: what waits is sent anew. */
  readonly goOn = (): void => {
    const { resolve } = this.#waiting ?? {};
    this.#waiting = undefined;
    resolve?.();
    this.#tell();
  };

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const sessionEnd = new SessionEnd();
