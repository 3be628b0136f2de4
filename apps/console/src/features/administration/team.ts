/** The team that is administered: one's own, or the one that the operators chose in the address. */
import { createContext, use } from 'react';
import type { AnswerFor } from '../../api/operations.js';

/** With what the operators granted it. */
export type Team = AnswerFor<'readTeam'>;

/** Of the teams that the caller may administer; undefined when the wanted one is not among them. */
export const chooseTeam = (teams: readonly Team[], own: string, wanted: string | undefined): Team | undefined =>
  wanted === undefined
    ? (teams.find(({ team }) => team === own) ?? teams[0])
    : teams.find(({ team }) => team === wanted);

export const TeamContext = createContext<Team | undefined>(undefined);

/** Only below `Administration`, where every page of the area is. */
export const useTeam = (): Team => {
  const team = use(TeamContext);
  if (team === undefined) throw new Error('No team is administered here: useTeam is for pages of the administration.');
  return team;
};
