/** What a spec of writing needs beside that of reading: changes, and the rows that they left. */
import type { OperationContext } from '@tessera/messaging';
import pg from 'pg';
import { StorageChanges } from '../change/change-storage.js';
import { callerOf, openReading, type Reading } from './reading.js';
import type { LoadedContent } from './load-content.js';
import { unpublishedEvents } from './unpublished-events.js';

export type Changing = Reading & {
  readonly changes: StorageChanges;
  /** As the superuser, whom row-level security does not bind. */
  readonly rows: (text: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>;
};

export const openChanging = async (contents?: readonly LoadedContent[]): Promise<Changing> => {
  const reading = await openReading(contents);
  const admin = new pg.Client({ connectionString: reading.adminUrl });
  await admin.connect();
  return {
    ...reading,
    changes: new StorageChanges(reading.pools, reading.definitions, unpublishedEvents),
    rows: async (text, values = []) => (await admin.query<Record<string, unknown>>(text, [...values])).rows,
    end: async () => {
      await admin.end();
      await reading.end();
    },
  };
};

export const writerOf = (team: string): OperationContext => ({
  ...callerOf(team),
  caller: { team, subject: 'ann', scopes: ['content:read', 'content:write'] },
});
