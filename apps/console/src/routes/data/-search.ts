/** What the addresses of the area hold. Who types one may write anything: what is not understood is left out. */
import type { LoadMode } from '@tessera/contracts/knowledge-models';

type Given = Readonly<Record<string, unknown>>;

const textIn = (given: Given, name: string): string | undefined => {
  const value = given[name];
  // What looks like a number in an address comes as one.
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
};
const oneOf = <Choice extends string>(given: Given, name: string, choices: readonly Choice[]): Choice | undefined =>
  choices.find((choice) => choice === given[name]);

const dataTabs = ['tables', 'models'] as const;
const sorts = ['table', 'rows', 'loaded'] as const;
const directions = ['ascending', 'descending'] as const;

export type DataSearch = {
  readonly tab?: (typeof dataTabs)[number];
  readonly find?: string;
  readonly sort?: (typeof sorts)[number];
  readonly direction?: (typeof directions)[number];
};

export const readDataSearch = (given: Given): DataSearch => ({
  tab: oneOf(given, 'tab', dataTabs),
  find: textIn(given, 'find'),
  sort: oneOf(given, 'sort', sorts),
  direction: oneOf(given, 'direction', directions),
});

const tableTabs = ['columns', 'loads'] as const;
export type TableSearch = { readonly tab?: (typeof tableTabs)[number] };

export const readTableSearch = (given: Given): TableSearch => ({ tab: oneOf(given, 'tab', tableTabs) });

const loadModes = ['replace', 'append', 'upsert', 'delete'] as const satisfies readonly LoadMode[];
export type LoadSearch = {
  /** `schema.table`; absent for a new one. */
  readonly table?: string;
  readonly mode?: LoadMode;
};

export const readLoadSearch = (given: Given): LoadSearch => ({
  table: textIn(given, 'table'),
  mode: oneOf(given, 'mode', loadModes),
});

const modelTabs = ['versions', 'compare', 'definition'] as const;
const namedVersions = ['draft', 'published'] as const;
export type VersionName = (typeof namedVersions)[number] | number;
export type ModelSearch = {
  readonly tab?: (typeof modelTabs)[number];
  /** Compared: from which to which. */
  readonly from?: VersionName;
  readonly to?: VersionName;
  /** Whose definition is shown. */
  readonly version?: VersionName;
};

const versionIn = (given: Given, name: string): VersionName | undefined => {
  const value = given[name];
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  return oneOf(given, name, namedVersions);
};

export const readModelSearch = (given: Given): ModelSearch => ({
  tab: oneOf(given, 'tab', modelTabs),
  from: versionIn(given, 'from'),
  to: versionIn(given, 'to'),
  version: versionIn(given, 'version'),
});
