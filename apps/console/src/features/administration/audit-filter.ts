/** Which log is shown and which of its lines, as an address has it. What is not there is not filtered by. */
import type { AnswerFor, InputFor } from '../../api/operations.js';
import { kindOfChange, type AccessChange, type ChangeKind } from './access-change.js';
import { boundsOfDays } from './log-days.js';
import { hasText } from './sorting.js';

export const logs = ['access', 'content', 'calls'] as const;
export type LogName = (typeof logs)[number];

export type AuditFilter = {
  /** The log of access when it is not there. */
  readonly log?: LogName;
  /** The line that is opened. */
  readonly entry?: string;
  /** Of access: what subject, target or request contain. */
  readonly text?: string;
  readonly kind?: ChangeKind;
  /** Of content: collection/storage. */
  readonly storage?: string;
  readonly order?: 'oldest';
  /** Of content and calls. */
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
  /** Of calls. */
  readonly asset?: string;
  readonly tool?: string;
  readonly outcome?: string;
};

/** The operation has no filter: among the lines that are here. */
export const filterAccessChanges = (
  changes: readonly AccessChange[],
  { text = '', kind }: AuditFilter,
): readonly AccessChange[] =>
  changes.filter(
    (change) =>
      (kind === undefined || kindOfChange(change) === kind) &&
      hasText(text, [change.subject, change.target, change.action, change.requestId]),
  );

type Storage = AnswerFor<'listStorages'>['storages'][number];

export const storagePath = ({ collection, storage }: Pick<Storage, 'collection' | 'storage'>): string =>
  `${collection}/${storage}`;

/** The wanted one, else the first. */
export const chooseStorage = (storages: readonly Storage[], wanted: string | undefined): Storage | undefined =>
  storages.find((storage) => storagePath(storage) === wanted) ?? storages[0];

const pageSize = 100;

export const contentLogInput = (
  team: string,
  { collection, storage }: Pick<Storage, 'collection' | 'storage'>,
  { subject, from, to, order }: AuditFilter,
): InputFor<'listChanges'> => ({
  ...{ team, collection, storage, pageSize },
  ...(subject !== undefined && { subject }),
  ...boundsOfDays(from, to),
  ...(order !== undefined && { order }),
});

export const callLogInput = (
  team: string,
  { subject, from, to, asset, tool, outcome }: AuditFilter,
): InputFor<'listCalls'> => ({
  ...{ team, pageSize },
  ...(subject !== undefined && { subject }),
  ...boundsOfDays(from, to),
  ...(asset !== undefined && { assetId: asset }),
  ...(tool !== undefined && { toolId: tool }),
  ...(outcome !== undefined && { outcome }),
});
