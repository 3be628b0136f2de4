/**
 * The storages of Northgate and Tiny Company, from one table each. Northgate has ids that Meridian Coatings has as well,
 * so that a test can ask for the same thing as two teams.
 */
import type { RelationTargets } from '@tessera/contracts';
import { northgateRows, tinycoRows } from './data/northgate.js';
import { defineStorage, type StorageOutline } from './define-storage.js';
import { createDemoStorage, type DemoStorage } from './demo-storage.js';
import type { DemoElement, DemoElementVersion } from './draft.js';
import { threeVersionsElementId } from './process-house.js';
import { getCell, readRows, type TextRow } from './text-table.js';

export const createNorthgateStorage = (): DemoStorage =>
  smallCompany(northgateRows, { collection: 'northgate', title: 'Northgate, supply', cultures: [1033, 1031] });

export const createTinycoStorage = (): DemoStorage =>
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
    const own = rows.filter((row) => facetOf.get(getCell(row, 0)) === name);
    return [name, () => own.map(draftOf)] as const;
  });
  const people = rows.filter((row) => getCell(row, 0) === 'user').map((row) => getCell(row, 1));
  return createDemoStorage(definition, Object.fromEntries(drafts), { people });
};

const draftOf = (row: TextRow): DemoElement => {
  const [type, id, parent] = [getCell(row, 0), getCell(row, 1), getCell(row, 2)];
  const german = getCell(row, 4);
  const description = getCell(row, 5);
  return {
    id,
    type,
    ...(parent !== '' && { parent }),
    name: { en: getCell(row, 3), ...(german !== '' && { de: german }) },
    ...(description !== '' && { description: { en: description } }),
    ...(row[6] && { relations: relationsOf(row[6]) }),
    ...(type !== 'activity' &&
      type !== 'task' && { history: id === threeVersionsElementId ? twoVersions : releasedHistory }),
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

const releasedHistory: readonly DemoElementVersion[] = [{ version: '1.0', state: 'released' }];
const twoVersions: readonly DemoElementVersion[] = [...releasedHistory, { version: '1.1', state: 'inProcess' }];
