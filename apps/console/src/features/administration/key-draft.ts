/** A key as it is asked for, what is wrong with it, and what is sent; and in which state a key is. */
import type { AnswerFor, InputFor, Scope } from '../../api/operations.js';
import { attributesOfLines, type AttributeLine } from './attribute-lines.js';

export type ApiKey = AnswerFor<'listKeys'>['keys'][number];

/** After how many days it stops to work. */
export const lifetimes = ['30', '90', '365', 'never'] as const;
export type Lifetime = (typeof lifetimes)[number];

export type KeyDraft = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly furtherScopes: readonly string[];
  readonly attributes: readonly AttributeLine[];
  /** As typed; empty for the standard of the platform. */
  readonly hourlyLimit: string;
  readonly lifetime: Lifetime;
};

/** By field; the values are names of messages. */
export type KeyFaults = {
  readonly name: 'required' | undefined;
  readonly scopes: 'scopeMissing' | undefined;
  readonly hourlyLimit: 'limitFault' | undefined;
};

export const emptyKey: KeyDraft = {
  ...{ name: '', scopes: [], furtherScopes: [], attributes: [], hourlyLimit: '', lifetime: '90' },
};

export const faultsOfKey = ({ name, scopes, hourlyLimit }: KeyDraft, limitMax: number): KeyFaults => ({
  name: name.trim() === '' ? 'required' : undefined,
  scopes: scopes.length === 0 ? 'scopeMissing' : undefined,
  hourlyLimit: isLimit(hourlyLimit.trim(), limitMax) ? undefined : 'limitFault',
});

const isLimit = (text: string, limitMax: number): boolean =>
  text === '' || (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= limitMax);

const dayMs = 86_400_000;

export const newKeyOf = (draft: KeyDraft, team: string, nowMs: number): InputFor<'createKey'>['key'] => ({
  ...{ team, name: draft.name.trim(), scopes: [...draft.scopes] },
  ...(draft.furtherScopes.length > 0 && { furtherScopes: [...draft.furtherScopes] }),
  ...(draft.attributes.length > 0 && { attributes: attributesOfLines(draft.attributes) }),
  ...(draft.hourlyLimit.trim() !== '' && { hourlyLimit: Number(draft.hourlyLimit) }),
  ...(draft.lifetime !== 'never' && {
    expiresAt: new Date(nowMs + Number(draft.lifetime) * dayMs).toISOString(),
  }),
});

export const keyStates = ['live', 'expired', 'revoked'] as const;
export type KeyState = (typeof keyStates)[number];

export const stateOfKey = (
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): KeyState => {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs ? 'expired' : 'live';
};
