/**
 * Last use of keys, collected in memory and written every few seconds in one statement. No request waits; a failed write is
 * repeated with the next one.
 */
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { toLoggableReason } from '@tessera/failures';

type KeyUsesOptions = {
  readonly write: (uses: ReadonlyMap<string, Date>) => Promise<void>;
  readonly onError: (reason: string) => void;
  readonly clock?: () => number;
};

const everyMs = 5_000;
const pendingMax = 50_000;

export class KeyUsageRecorder implements OnModuleInit, OnApplicationShutdown {
  readonly #options: KeyUsesOptions;
  readonly #clock: () => number;
  #uses = new Map<string, Date>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: KeyUsesOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
  }

  /** Costs a look-up; the instant is that of the first use in a turn, exact to a few seconds. */
  mark(keyId: string): void {
    if (!this.#uses.has(keyId) && this.#uses.size < pendingMax) this.#uses.set(keyId, new Date(this.#clock()));
  }

  onModuleInit(): void {
    this.#timer ??= setInterval(() => void this.flush(), everyMs).unref();
  }

  async flush(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      await this.#options.write(uses);
    } catch (error) {
      this.#options.onError(toLoggableReason(error));
      for (const [keyId, at] of uses) if (!this.#uses.has(keyId)) this.#uses.set(keyId, at);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
