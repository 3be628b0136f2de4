/**
 * Look-ups of names wait in one of the few threads that the whole process has, for as long as the servers of the name like:
 * so one team has one at a time.
 * Refuses: more look-ups than a team can get answered soon.
 */
import type { Resolve } from './surroundings.js';

type Team = { readonly waiting: (() => void)[] };

const waitingMax = 50;

export const inTurns = (look: (hostName: string) => ReturnType<Resolve>): Resolve => {
  /** Of teams with a look-up under way. */
  const teams = new Map<string, Team>();
  const enter = (team: string): Promise<void> | undefined => {
    const busy = teams.get(team);
    if (!busy) return void teams.set(team, { waiting: [] });
    if (busy.waiting.length >= waitingMax) return Promise.reject(new Error('Too many names are looked up.'));
    return new Promise((resolve) => void busy.waiting.push(resolve));
  };
  const leave = (team: string): void => {
    const next = teams.get(team)?.waiting.shift();
    if (next) next();
    else teams.delete(team);
  };
  return async (hostName, team) => {
    const turn = enter(team);
    if (turn) await turn;
    try {
      return await look(hostName);
    } finally {
      leave(team);
    }
  };
};
