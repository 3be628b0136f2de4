/** What the addresses of the area hold. */
import type { CallFilter } from './call-filter.js';
import type { ClientKind, ClientWay } from './client-files.js';
import { isObject, type JsonObject } from '../../api/json-values.js';

export const assetTabs = ['tools', 'calls', 'connect'] as const;
export type AssetTab = (typeof assetTabs)[number];

export type ToolsState = CallFilter & {
  readonly tab?: 'calls';
  /** The call whose details are open. */
  readonly call?: string;
};

export type AssetState = CallFilter & {
  readonly tab?: AssetTab;
  readonly tool?: string;
  readonly arguments?: JsonObject;
  readonly draft?: true;
  readonly call?: string;
  readonly client?: ClientKind;
  readonly way?: ClientWay;
};

/** Changes some of what the address holds; `replace` adds no step to the history. */
export type ChangeState<State> = (changed: Partial<State>, options?: { readonly replace?: boolean }) => void;

/** Servers and browsers shorten or refuse longer addresses; without its arguments it still leads to the tool. */
const encodedLengthMax = 4_000;

/** Arguments as they may stand in an address; undefined when there are none, or too much of them. */
export const argumentsForAddress = (value: unknown): JsonObject | undefined =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  encodeURIComponent(JSON.stringify(value)).length <= encodedLengthMax
    ? value
    : undefined;
