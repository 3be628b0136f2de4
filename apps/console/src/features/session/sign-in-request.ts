/** What was typed to sign in, as the request that is sent, or what is still to be filled in. */
import type { InputFor } from '../../api/operations.js';

export type SignInDraft = {
  readonly way: 'password' | 'key';
  readonly team: string;
  readonly user: string;
  readonly password: string;
  readonly apiKey: string;
};

export const emptyDraft: SignInDraft = { way: 'password', team: '', user: '', password: '', apiKey: '' };

type Missing = readonly Exclude<keyof SignInDraft, 'way'>[];
type Outcome = { readonly input: InputFor<'startSession'> } | { readonly missing: Missing };

/** Names are typed with spaces around them, and copied keys come with line ends; of a password each character counts. */
export const signInOf = ({ way, ...typed }: SignInDraft): Outcome => {
  const [team, user, apiKey] = [typed.team.trim(), typed.user.trim(), typed.apiKey.trim()];
  const { password } = typed;
  const needed = way === 'key' ? { apiKey } : { team, user, password };
  const missing: Missing = (['team', 'user', 'password', 'apiKey'] as const).filter(
    (name) => Object.hasOwn(needed, name) && { team, user, password, apiKey }[name] === '',
  );
  if (missing.length > 0) return { missing };
  return { input: { signIn: way === 'key' ? { apiKey } : { team, user, password } } };
};

/** The member that a session belongs to, to sign in again; nothing for a key. */
export const draftFor = (subject: string, team: string): SignInDraft =>
  subject.startsWith('member:')
    ? { ...emptyDraft, team, user: subject.slice('member:'.length) }
    : { ...emptyDraft, way: 'key' };

/** The gateway's own page, which knows the issuer of the platform where there is one, and leads back to where one is. */
export const otherWaysAddress = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string =>
  `/sign-in?next=${encodeURIComponent(`${pathname}${search}`)}`;
