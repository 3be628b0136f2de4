/** Who is signed in, and what may be shown to them. The server decides; the console hides what it would refuse. */
import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { call } from '../../api/call.js';
import type { AnswerFor, Scope } from '../../api/operations.js';

export type Me = AnswerFor<'readMe'>;

/** What was typed as one person is not to be sent as another, so that it is short. */
const freshMs = 5_000;

/** Asked for when the window is looked at again: somebody else may have signed in meanwhile, in another one. */
export const meQuery = queryOptions({
  queryKey: ['readMe', {}] as const,
  queryFn: ({ signal }) => call('readMe', {}, { signal, withoutSession: 'fail' }),
  staleTime: freshMs,
  refetchOnWindowFocus: true,
});

export const MeContext = createContext<Me | undefined>(undefined);

/** The person of the session; only below the SessionGate, where every page is. */
export const useMe = (): Me => {
  const me = use(MeContext);
  if (me === undefined) throw new Error('Nobody is signed in here: useMe is for what is below the SessionGate.');
  return me;
};

/** Whether a person has a scope: `const may = useMay(); may('content:write')`. */
export const useMay = (): ((scope: Scope) => boolean) => {
  const { scopes } = useMe();
  return (scope) => scopes.includes(scope);
};

/** What people are called, or else are in logs. */
export const nameOf = ({ displayName, subject }: Pick<Me, 'displayName' | 'subject'>): string =>
  displayName ?? subject.replace(/^member:/, '');

/** Whether two answers are of the same person in the same team. */
export const isSamePerson = (one: Pick<Me, 'subject' | 'team'>, other: Pick<Me, 'subject' | 'team'>): boolean =>
  one.subject === other.subject && one.team === other.team;
