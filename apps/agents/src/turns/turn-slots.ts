/**
 * How many turns run at once in this process, and how many of them are of one team: half at most, so that others find room.
 * Refuses: to let anybody wait; who finds no room hears so at once.
 */
import { fail, succeed, type Result } from '@tessera/failures';

export class TurnSlots {
  readonly #ofTeam = new Map<string, number>();
  #taken = 0;
  #isClosed = false;

  constructor(private readonly slotsMax: number) {}

  get taken(): number {
    return this.#taken;
  }

  /** What gives the slot back, once. Failure: SERVICE_UNAVAILABLE. */
  take(team: string): Result<() => void> {
    const ofTeam = this.#ofTeam.get(team) ?? 0;
    if (this.#isClosed) return stopping;
    if (this.#taken >= this.slotsMax || ofTeam >= Math.ceil(this.slotsMax / 2)) return full;
    this.#taken++;
    this.#ofTeam.set(team, ofTeam + 1);
    return succeed(() => this.#giveBack(team));
  }

  /** From now on nobody finds room. */
  close(): void {
    this.#isClosed = true;
  }

  #giveBack(team: string): void {
    this.#taken--;
    const left = (this.#ofTeam.get(team) ?? 1) - 1;
    if (left > 0) this.#ofTeam.set(team, left);
    else this.#ofTeam.delete(team);
  }
}

const full = fail(
  'SERVICE_UNAVAILABLE',
  'As many messages are being answered as the service can; send it again soon.',
  {
    retryAfterSeconds: 2,
  },
);
const stopping = fail('SERVICE_UNAVAILABLE', 'The service is stopping.', { retryAfterSeconds: 1 });
