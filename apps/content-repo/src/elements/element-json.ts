/** Stored element text -> data and back, for the options that look inside: `$select` and `$expandRelated`. */
import { withPublicUrl } from '@tessera/content-model';
import type { TreeRow } from '../tree/tree-text.js';

export type ElementJson = {
  readonly id?: string;
  readonly facetName?: string;
  readonly versionId?: string | undefined;
  readonly creationId?: string;
  readonly type?: string;
  readonly state?: string | undefined;
  readonly stereotype?: string;
  readonly expandUri?: string;
  readonly displayNames?: unknown;
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly related?: Readonly<Record<string, readonly ElementJson[]>>;
  readonly children?: readonly ElementJson[];
  readonly content?: readonly ElementJson[];
  readonly rootPath?: readonly ElementJson[];
};

export const parseElementJson = (stored: string, publicUrl: string): ElementJson =>
  JSON.parse(withPublicUrl(stored, publicUrl)) as ElementJson;

/** The two texts of a row as two objects: what is before the children, and what is behind them. */
type RowJson = { readonly before: ElementJson; readonly behind: ElementJson };

/** A closing text without its brace is completed; `printTreeRow` takes the brace away again. */
export const parseTreeRow = ({ opening, closing }: TreeRow, publicUrl: string): RowJson => ({
  before: parseElementJson(`${opening}}`, publicUrl),
  behind: closing === '' ? {} : parseElementJson(`{${closing.slice(1)}${closing.endsWith('}') ? '' : '}'}`, publicUrl),
});

export const printTreeRow = (row: TreeRow, { before, behind }: RowJson): TreeRow => {
  const members = JSON.stringify(behind).slice(1, -1);
  const end = row.closing.endsWith('}') ? '}' : '';
  return { path: row.path, opening: JSON.stringify(before).slice(0, -1), closing: `${members && `,${members}`}${end}` };
};
