/**
 * The storages of Northgate and Tiny Company, from one table each. Northgate has ids that Meridian Coatings has as well,
 * so that a test can ask for the same thing as two teams.
 */
import type { RelationTargets } from '@tessera/contracts';
import { northgateRows, tinycoRows } from './data/northgate.js';
import { defineStorage, type StorageOutline } from './define-storage.js';
import { demoStorage, type DemoStorage } from './demo-storage.js';
import type { Draft, DraftVersion } from './draft.js';
import { threeVersionsId } from './process-house.js';
import { cellOf, readRows, type Row } from './text-table.js';

export const northgate = (): DemoStorage =>
  smallCompany(northgateRows, { collection: 'northgate', title: 'Northgate, supply', cultures: [1033, 1031] });

export const tinyco = (): DemoStorage =>
  smallCompany(tinycoRows, {
    collection: 'tinyco',
    title: 'Tiny Company',
    cultures: [1033],
    facets: ['processes', 'users'],
  });

const smallCompany = (table: string, outline: StorageOutline): DemoStorage => {
  const definition = defineStorage(outline);
  const rows = readRows(table);
  const facetOf = new Map(definition.types.map(({ name, facet }) => [name, facet]));
  const drafts = definition.facets.map(({ name }) => {
    const own = rows.filter((row) => facetOf.get(cellOf(row, 0)) === name);
    return [name, () => own.map(draftOf)] as const;
  });
  const people = rows.filter((row) => cellOf(row, 0) === 'user').map((row) => cellOf(row, 1));
  return demoStorage(definition, Object.fromEntries(drafts), { people });
};

const draftOf = (row: Row): Draft => {
  const [type, id, parent] = [cellOf(row, 0), cellOf(row, 1), cellOf(row, 2)];
  const german = cellOf(row, 4);
  const description = cellOf(row, 5);
  return {
    id,
    type,
    ...(parent !== '' && { parent }),
    name: { en: cellOf(row, 3), ...(german !== '' && { de: german }) },
    ...(description !== '' && { description: { en: description } }),
    ...(row[6] && { relations: relationsOf(row[6]) }),
    ...(type !== 'activity' && type !== 'task' && { history: id === threeVersionsId ? twoVersions : released }),
  };
};

/** `memberOf=unit.docks; fills=role.dock-lead` */
const relationsOf = (cell: string): RelationTargets =>
  Object.fromEntries(
    cell.split(';').map((part) => {
      const [name = '', targets = ''] = part.trim().split('=');
      return [name, targets.split(' ')];
    }),
  );

const released: readonly DraftVersion[] = [{ version: '1.0', state: 'released' }];
const twoVersions: readonly DraftVersion[] = [...released, { version: '1.1', state: 'inProcess' }];
