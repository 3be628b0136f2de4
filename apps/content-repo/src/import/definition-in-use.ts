/**
 * A definition may not lose what elements have: facets, types, states, attributes and relations in use. Looked at when
 * everything is written, so that an import may take a thing out of its elements and of its definition at once.
 */
import { findAttribute, findType } from '@tessera/content-model';
import type { Fault } from '@tessera/failures';
import { storageKey } from '../change/change.repository.js';
import type { ImportScope } from './imports.repository.js';

export const findDefinitionInUseFaults = async (scope: ImportScope): Promise<readonly Fault[]> => [
  ...(await lostTypes(scope)),
  ...(await lostAttributes(scope)),
  ...(await lostRelations(scope)),
];

const definitionFault = (path: string, message: string): Fault => ({ in: 'definition', path, message, rule: 'used' });

const elementsHaveText = (count: string): string => (count === '1' ? 'one element has' : `${count} elements have`);

type TypeUse = {
  readonly facet: string | null;
  readonly type: string;
  readonly versioned: boolean;
  readonly used: string;
};

const lostTypes = async (scope: ImportScope): Promise<readonly Fault[]> => {
  const { rows } = await scope.client.query<TypeUse>(
    `select e.facet, e.type, bool_or(exists (
        select from content_repo.element_version v
        where v.tenant = e.tenant and v.storage_id = e.storage_id and v.element_id = e.element_id
          and v.state not in ('show', 'hide'))) as versioned, count(*) as used
     from content_repo.element e where e.tenant = $1 and e.storage_id = $2 and e.deleted_at is null
     group by 1, 2
     union all
     select null, c.type, false, count(*)
     from content_repo.content_element c where c.tenant = $1 and c.storage_id = $2
     group by 2`,
    [...storageKey(scope)],
  );
  return rows.flatMap(({ facet, type, versioned, used }) => {
    const defined = findType(scope.model, type);
    if (defined?.name !== type)
      return [definitionFault('types', `the type "${type}" cannot go: ${elementsHaveText(used)} it`)];
    if (facet !== null && defined.facet !== facet)
      return [
        definitionFault(
          'types',
          `the type "${type}" cannot leave the facet "${facet}": ${elementsHaveText(used)} it there`,
        ),
      ];
    if (facet !== null && defined.versioned !== versioned)
      return [
        definitionFault(
          'types',
          `the type "${type}" cannot ${versioned ? 'lose' : 'get'} versions: ${elementsHaveText(used)} it`,
        ),
      ];
    return [];
  });
};

const lostAttributes = async (scope: ImportScope): Promise<readonly Fault[]> => {
  const { rows } = await scope.client.query<{ type: string; attribute: string; used: string }>(
    `select type, attribute, count(*) as used from (
       select e.type, jsonb_object_keys(v.attributes) as attribute
       from content_repo.element_version v
       join content_repo.element e on e.tenant = v.tenant and e.storage_id = v.storage_id and e.element_id = v.element_id
       where v.tenant = $1 and v.storage_id = $2 and e.deleted_at is null
       union all
       select c.type, jsonb_object_keys(c.attributes) from content_repo.content_element c
       where c.tenant = $1 and c.storage_id = $2
     ) uses group by 1, 2`,
    [...storageKey(scope)],
  );
  return rows.flatMap(({ type, attribute, used }) => {
    const defined = findType(scope.model, type);
    if (!defined || findAttribute(defined, attribute)?.name === attribute) return [];
    return [
      definitionFault('types', `the attribute "${attribute}" of "${type}" cannot go: ${elementsHaveText(used)} it`),
    ];
  });
};

const lostRelations = async (scope: ImportScope): Promise<readonly Fault[]> => {
  const { rows } = await scope.client.query<{ relation: string; used: string }>(
    `select relation, count(distinct owner_id) as used from content_repo.relation
     where tenant = $1 and storage_id = $2 and relation <> all($3::text[]) group by 1`,
    [...storageKey(scope), scope.model.relations.map(({ name }) => name)],
  );
  return rows.map(({ relation, used }) =>
    definitionFault('relations', `the relation "${relation}" cannot go: ${elementsHaveText(used)} it`),
  );
};
