/**
 * How many bytes of conversations all turns of this process hold at once, and those of one team: half at most. A turn gets
 * a part of what is left, so that the next ones find some too.
 * Refuses: nobody; where there is no room a turn reads the little that is always there.
 */

/** A replica with many long conversations has no more of them in memory, some of it several times. */
const bytesMax = 32 * 1024 * 1024;
const shareOfLeft = 4;
const bytesAlways = 32 * 1024;

export type HeldHistory = {
  /** So much may be read. */
  readonly bytes: number;
  /** So much was; 0 gives it back. */
  readonly keep: (bytes: number) => void;
};

export class HistoryRoom {
  readonly #ofTeam = new Map<string, number>();
  #taken = 0;

  take(team: string, bytesWanted: number): HeldHistory {
    const left = Math.min(bytesMax - this.#taken, bytesMax / 2 - (this.#ofTeam.get(team) ?? 0));
    const bytes = Math.min(bytesWanted, Math.max(bytesAlways, Math.floor(left / shareOfLeft)));
    let held = 0;
    const keep = (kept: number): void => {
      this.#add(team, kept - held);
      held = kept;
    };
    keep(bytes);
    return { bytes, keep };
  }

  #add(team: string, bytes: number): void {
    this.#taken += bytes;
    const ofTeam = (this.#ofTeam.get(team) ?? 0) + bytes;
    if (ofTeam > 0) this.#ofTeam.set(team, ofTeam);
    else this.#ofTeam.delete(team);
  }
}
