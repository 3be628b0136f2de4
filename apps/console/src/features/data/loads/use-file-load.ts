/** The loads of one chosen file: into one table or another, and again with lines that were mended. */
import type { LoadMode, TableDefinition } from '@tessera/contracts/knowledge-models';
import { useState } from 'react';
import { call } from '../../../api/call.js';
import { useMe } from '../../session/me.js';
import type { ReadSettings } from '../csv/csv-preview.js';
import { fullNameOf, type TableName } from '../tables/find-tables.js';
import type { Corrections } from './correct-lines.js';
import { useLoad } from './use-load.js';

/** Where rows go, and what has to be done before. */
export type Destination = {
  readonly table: TableName;
  /** In the order of the file. */
  readonly columns: string[];
  readonly mode: LoadMode;
  /** The text that stands for no value; an empty one when absent. */
  readonly empty?: string;
  /** Of a table that is made first. */
  readonly definition?: TableDefinition;
};

export const useFileLoad = (file: File, { delimiter, encoding, hasHeader }: ReadSettings) => {
  const { team } = useMe();
  const { start, view, cancel } = useLoad();
  const [asked, setAsked] = useState<Destination>();
  const [made, setMade] = useState<readonly string[]>([]);
  const [corrections, setCorrections] = useState<Corrections>(new Map());

  const run = (destination: Destination, corrected: Corrections, allowShrink?: true): void => {
    setAsked(destination);
    setCorrections(corrected);
    const { table, columns, mode, empty, definition } = destination;
    void start(async (signal) => {
      if (definition !== undefined) {
        await call('applyModelDefinitions', { team, apply: { definitions: [definition] } }, { signal });
        setMade((names) => [...names, fullNameOf(table)]);
      }
      return {
        ...{ team, schema: table.schema, table: table.id },
        begin: { format: 'csv', columns, delimiter, mode, null: empty },
        ...{ file, encoding, hasHeader, corrections: corrected },
        ...(allowShrink && { allowShrink }),
      };
    });
  };
  return {
    view,
    cancel,
    asked,
    /** Tables that were made for the file: they are there now, and may be loaded again. */
    made,
    load: (destination: Destination): void => run(destination, corrections),
    retry: (): void => {
      if (asked !== undefined) run(asked, corrections);
    },
    shrink: (): void => {
      if (asked !== undefined) run(asked, corrections, true);
    },
    mend: (mended: Corrections): void => {
      if (asked !== undefined) run(asked, new Map([...corrections, ...mended]));
    },
  };
};
