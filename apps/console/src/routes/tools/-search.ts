import { assetTabs, type AssetState, type ToolsState } from '../../features/tools/address-state.js';
import { callOutcomes, callSpans, type CallFilter } from '../../features/tools/call-filter.js';
import { clientKinds, clientWays } from '../../features/tools/client-files.js';
import { isObject } from '../../api/json-values.js';

type Search = Readonly<Record<string, unknown>>;

const nameLengthMax = 200;

/** The router makes numbers of names that are digits. */
const nameIn = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= nameLengthMax ? text : undefined;
};
const oneOf = <Known extends string>(known: readonly Known[], value: unknown): Known | undefined =>
  known.find((each) => each === value);

const readCallFilter = (search: Search): CallFilter => ({
  calledTool: nameIn(search['calledTool']),
  outcome: oneOf(callOutcomes, search['outcome']),
  since: oneOf(callSpans, search['since']),
});

export const readToolsSearch = (search: Search): ToolsState => ({
  ...readCallFilter(search),
  tab: oneOf(['calls'], search['tab']),
  call: nameIn(search['call']),
});

export const readAssetSearch = (search: Search): AssetState => ({
  ...readCallFilter(search),
  tab: oneOf(assetTabs, search['tab']),
  tool: nameIn(search['tool']),
  arguments: isObject(search['arguments']) ? search['arguments'] : undefined,
  draft: search['draft'] === true ? true : undefined,
  call: nameIn(search['call']),
  client: oneOf(clientKinds, search['client']),
  way: oneOf(clientWays, search['way']),
});
