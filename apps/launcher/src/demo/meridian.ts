/**
 * The storage of Meridian Coatings in the size that is asked for.
 */
import { siteNames } from './data/company.js';
import { defineStorage } from './define-storage.js';
import { demoStorage, type DemoStorage } from './demo-storage.js';
import type { Draft } from './draft.js';
import { organizationDrafts, people, userDrafts } from './organization.js';
import { houseDrafts } from './process-house.js';
import {
  documentDrafts,
  documentsByProcess,
  figureDrafts,
  riskDrafts,
  roleDrafts,
  systemDrafts,
} from './reference-facets.js';
import { listOf, slugOf } from './text-table.js';
import { keptPeopleCount, selectTiny } from './tiny-selection.js';

/** The elements of the facet `processes` in the large demo. */
export const largeFacetElements = 10_000;

export const meridian = (size: 'tiny' | 'demo' | 'load'): DemoStorage => {
  const definition = defineStorage({
    collection: 'meridian',
    title: 'Meridian Coatings, purchase to pay',
    cultures: [1033, 1031, 3082],
  });
  const documentsOf = documentsByProcess();
  const ids = people.map(({ id }) => id);
  const storage = demoStorage(
    definition,
    {
      processes: () => (size === 'load' ? largeHouse() : houseDrafts({ documentsOf })),
      organization: organizationDrafts,
      roles: roleDrafts,
      risks: riskDrafts,
      it: systemDrafts,
      knowledge: documentDrafts,
      kpi: figureDrafts,
      users: userDrafts,
    },
    { people: size === 'tiny' ? ids.slice(0, keptPeopleCount) : ids },
  );
  return size === 'tiny' ? selectTiny(storage) : storage;
};

/** The house and, site by site, its repetitions, as far as the count reaches; every parent stands before its children. */
const largeHouse = function* (): Generator<Draft> {
  const documentsOf = documentsByProcess();
  let left = largeFacetElements;
  const sites = listOf(siteNames.replaceAll('\n', ' ')).map((name) => ({ key: slugOf(name), name }));
  for (const site of [undefined, ...sites])
    for (const draft of houseDrafts({ documentsOf }, site)) {
      if (left === 0) return;
      left -= 1;
      yield draft;
    }
};
