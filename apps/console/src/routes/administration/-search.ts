/** What an address of the administration says about the page. Who types one may write anything: what is not understood is left out. */
import { changeKinds } from '../../features/administration/access-change.js';
import { logs, type AuditFilter } from '../../features/administration/audit-filter.js';
import { keyStates, type KeyState } from '../../features/administration/key-draft.js';

type Search = Readonly<Record<string, unknown>>;

/** A router reads `?q=1000` as a number. */
const textOf = (value: unknown): string | undefined => {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

const oneOf = <Word extends string>(value: unknown, words: readonly Word[]): Word | undefined =>
  words.find((word) => word === value);

export type TeamSearch = { readonly team?: string };

export const readTeamSearch = (search: Search): TeamSearch => ({ team: textOf(search['team']) });

export type ListSearch = { readonly q?: string; readonly sort?: string };

export const readListSearch = (search: Search): ListSearch => ({
  q: textOf(search['q']),
  sort: textOf(search['sort']),
});

export type KeysSearch = ListSearch & { readonly state?: KeyState };

export const readKeysSearch = (search: Search): KeysSearch => ({
  ...readListSearch(search),
  state: oneOf(search['state'], keyStates),
});

const dayOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;
};

export const readAuditSearch = (search: Search): AuditFilter => {
  const text = (name: keyof AuditFilter): string | undefined => textOf(search[name]);
  return {
    log: oneOf(search['log'], logs),
    kind: oneOf(search['kind'], changeKinds),
    order: oneOf(search['order'], ['oldest'] as const),
    ...{ from: dayOf(search['from']), to: dayOf(search['to']) },
    ...{ entry: text('entry'), text: text('text'), storage: text('storage'), subject: text('subject') },
    ...{ asset: text('asset'), tool: text('tool'), outcome: text('outcome') },
  };
};
