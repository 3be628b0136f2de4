/**
 * The memory budget for texts of all turns of this process: histories and tool results. A team holds at most half; a turn gets
 * a share of what is left.
 */

/** Bytes; what is made of a text to ask a model is several times as large. */
const bytesMax = 32 * 1024 * 1024;
const resultShare = 4;
const resultBytesGuaranteed = 16 * 1024;

export type TurnTextBudget = {
  /** Of one more text. */
  readonly bytesMax: () => number;
  readonly add: (bytes: number) => void;
  readonly releaseAll: () => void;
};

export class TextBudget {
  readonly #ofTeam = new Map<string, number>();
  #held = 0;

  forTurn(team: string): TurnTextBudget {
    let held = 0;
    const add = (bytes: number): void => {
      held += bytes;
      this.#add(team, bytes);
    };
    return { bytesMax: () => this.#bytesMax(team), add, releaseAll: () => add(-held) };
  }

  #bytesMax(team: string): number {
    const left = Math.min(bytesMax - this.#held, bytesMax / 2 - (this.#ofTeam.get(team) ?? 0));
    return Math.max(resultBytesGuaranteed, Math.floor(left / resultShare));
  }

  #add(team: string, bytes: number): void {
    this.#held += bytes;
    const ofTeam = (this.#ofTeam.get(team) ?? 0) + bytes;
    if (ofTeam > 0) this.#ofTeam.set(team, ofTeam);
    else this.#ofTeam.delete(team);
  }
}
