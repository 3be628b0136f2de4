/**
 * Work that is shared by everybody who asks for the same while it goes on. It ends early only when nobody waits for it any
 * more. Unlike shared work of the catalogue, whoever comes in the middle gets what was begun before.
 */
import { RequestAbandonedError } from '@tessera/persistence';

type SharedWork<T> = { readonly work: Promise<T>; readonly controller: AbortController; waiting: number };

export class CancellableSingleFlight<T> {
  readonly #flights = new Map<string, SharedWork<T>>();

  /** Rejects as the work does, or with `RequestAbandonedError` when `signal` aborts first. */
  join(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (signal.aborted) return Promise.reject(new RequestAbandonedError());
    const flight = this.#flights.get(key) ?? this.#begin(key, work);
    flight.waiting++;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#leave(key, flight);
        reject(new RequestAbandonedError());
      };
      signal.addEventListener('abort', onAbort);
      const ended = (): void => signal.removeEventListener('abort', onAbort);
      flight.work.then(ended, ended);
      flight.work.then(resolve, reject);
    });
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
    const controller = new AbortController();
    const flight: SharedWork<T> = { work: work(controller.signal), controller, waiting: 0 };
    this.#flights.set(key, flight);
    const forget = (): void => this.#forget(key, flight);
    flight.work.then(forget, forget);
    return flight;
  }

  #leave(key: string, flight: SharedWork<T>): void {
    flight.waiting--;
    if (flight.waiting > 0) return;
    this.#forget(key, flight);
    flight.controller.abort();
  }

  #forget(key: string, flight: SharedWork<T>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}
