/** The tool find-content: elements of a storage by their names and texts. */
import { Controller } from '@nestjs/common';
import { findFacet, neutralCulture, type StorageModel, withPublicUrl } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { findContent } from '@tessera/contracts/content-repo';
import { fail, findNearestName, type Result } from '@tessera/failures';
import { createJsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { Pools } from '../database.module.js';
import { createPoolReader, type TenantReader } from '../database/tenant-reader.js';
import { parseElementJson } from '../elements/element-json.js';
import { addressPrefixOf } from '../facets/facet-view.js';
import { type Storage, StorageDefinitions } from '../storage/storage-definitions.js';
import { findElements } from './find-elements.js';
import {
  type ResponsibleRow,
  type SearchResultRow,
  readResponsibleRows,
  readSearchResultRows,
} from './find.repository.js';
import { findResponsibleLinks } from './responsible-links.js';

@Controller()
export class FindContentHandler {
  constructor(
    private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(findContent)
  find(request: RequestOf<typeof findContent>, { caller, publicUrl }: OperationContext): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const reader = createPoolReader(this.pools.light, caller.team);
      const found = await this.definitions.find(reader, request);
      if (!found.ok) return found;
      const storage = found.value;
      const { query, facet: requested, culture, limit } = request.arguments;
      const facet = requested === undefined ? undefined : findFacet(storage.model, requested);
      if (requested !== undefined && !facet) return unknownFacet(storage.model, requested);
      const place = { storageId: storage.storageId, facet: facet?.name };
      const versionIds = await findElements(reader, storage.model, place, { query, culture, limit });
      const rows = versionIds.length === 0 ? [] : await readSearchResultRows(reader, storage.storageId, versionIds);
      const byVersion = new Map(rows.map((row) => [row.versionId, row]));
      const people = await readResponsible(reader, storage, rows);
      const elements = versionIds.flatMap((id) => {
        const row = byVersion.get(id);
        if (!row) return [];
        const responsible = (people.get(id) ?? []).map(({ relation, type, names }) => ({
          ...{ relation, type },
          name: nameIn(names, [culture, storage.model.defaultCulture]),
        }));
        return [
          { ...presentElement(storage, row, culture, publicUrl), ...(responsible.length > 0 && { responsible }) },
        ];
      });
      return createJsonReply({ count: elements.length, elements });
    });
  }
}

/** Of an element. */
const responsibleMax = 20;

/** By id of version. Not asked for where the definition of the storage has nobody who could be. */
const readResponsible = async (
  reader: TenantReader,
  { storageId, model }: Storage,
  rows: readonly SearchResultRow[],
): Promise<ReadonlyMap<string, readonly ResponsibleRow[]>> => {
  const { types, leading } = findResponsibleLinks(model);
  if (rows.length === 0 || types.length === 0) return new Map();
  const isLedTo = ({ type }: SearchResultRow): boolean => leading.some(({ to }) => to?.includes(type) ?? true);
  const found = await readResponsibleRows(reader, storageId, {
    versionIds: rows.map(({ versionId }) => versionId),
    ledTo: rows.filter(isLedTo).map(({ versionId }) => versionId),
    leading: leading.map(({ name }) => name),
    ...{ types, rowsMax: responsibleMax },
  });
  return Map.groupBy(found, ({ versionId }) => versionId);
};

const presentElement = (
  storage: Storage,
  { elementId, facet, identity, names }: SearchResultRow,
  culture: number | undefined,
  publicUrl: string,
) => {
  const { id = elementId, versionId, type = '', state = '' } = parseElementJson(`${identity}}`, publicUrl);
  const model = findFacet(storage.model, facet);
  const address = model ? withPublicUrl(`${addressPrefixOf(storage, model)}${elementId}`, publicUrl) : '';
  return {
    id,
    ...(versionId !== undefined && { versionId }),
    name: nameIn(names, [culture, storage.model.defaultCulture]),
    type,
    state,
    facetName: facet,
    expandUri: address,
  };
};

/** In the first of the cultures that has one, else in any. */
const nameIn = (names: Readonly<Record<string, string>>, cultures: readonly (number | undefined)[]): string => {
  for (const culture of [...cultures, Number(neutralCulture)]) {
    const name = names[String(culture)];
    if (name !== undefined) return name;
  }
  return Object.values(names)[0] ?? '';
};

const unknownFacet = ({ facets }: StorageModel, requested: string): ReturnType<typeof fail> => {
  const names = facets.map(({ name }) => name);
  const suggestion = findNearestName(requested, names);
  const message = suggestion === undefined ? `expected one of ${names.join(', ')}` : `did you mean "${suggestion}"?`;
  const fault = { in: 'body', path: 'facet', rule: 'enum', message: `unknown facet "${requested}"; ${message}` };
  const faults = [{ ...fault, ...(suggestion !== undefined && { suggestion }) }];
  return fail('TOOL_ARGUMENTS_INVALID', `facet: ${fault.message}`, { faults });
};
