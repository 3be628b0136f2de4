/** Search over the facets of a storage: elements by their names and texts, with where they stand. */
import { Controller } from '@nestjs/common';
import { findFacet, findType, withPublicUrl } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import { searchElements } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { createJsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { Pools } from '../database.module.js';
import { createPoolReader } from '../database/tenant-reader.js';
import { parseElementJson } from '../elements/element-json.js';
import { addressPrefixOf } from '../facets/facet-view.js';
import { nextPageAddress } from '../next-page.js';
import { contentNotFound } from '../replies.js';
import { type Storage, StorageDefinitions } from '../storage/storage-definitions.js';
import { findElements } from './find-elements.js';
import { type SearchResultRow, type PathStep, readSearchResultRows, readRootPaths } from './find.repository.js';

@Controller()
export class SearchElementsHandler {
  constructor(
    private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(searchElements)
  search(
    request: RequestOf<typeof searchElements>,
    { caller, publicUrl }: OperationContext,
  ): Promise<Result<ByteReply>> {
    const { $search: query, $facet, $culture: culture, $page, $pageSize } = request;
    return mapDatabaseErrors(async () => {
      const reader = createPoolReader(this.pools.light, caller.team);
      const found = await this.definitions.find(reader, request);
      if (!found.ok) return found;
      const { storageId, model } = found.value;
      const facet = $facet === undefined ? undefined : findFacet(model, $facet);
      if ($facet !== undefined && !facet) return contentNotFound;
      // One more than the pages show whether there is another page.
      const limit = $page * $pageSize + 1;
      const versionIds = await findElements(
        reader,
        model,
        { storageId, facet: facet?.name },
        { query, culture, limit },
      );
      const shown = versionIds.slice(($page - 1) * $pageSize, $page * $pageSize);
      const [rows, paths] = await Promise.all([
        readSearchResultRows(reader, storageId, shown),
        readRootPaths(reader, storageId, shown),
      ]);
      const byVersion = new Map(rows.map((row) => [row.versionId, row]));
      const values = shown.flatMap((id) => {
        const row = byVersion.get(id);
        return row ? [presentElement(found.value, row, paths.get(id) ?? [], publicUrl)] : [];
      });
      const hasNext = versionIds.length === limit && $page < lastPage;
      const next = hasNext ? nextPageAddress(searchElements, request, publicUrl) : undefined;
      const body = { count: values.length, values, ...(next !== undefined && { nextUri: next }) };
      return createJsonReply(body, next === undefined ? {} : { link: `<${next}>; rel="next"` });
    });
  }
}

/** As the contract has it. */
const lastPage = 10;

const presentElement = (
  storage: Storage,
  { elementId, facet, identity, names }: SearchResultRow,
  rootPath: readonly PathStep[],
  publicUrl: string,
) => {
  const { id = elementId, versionId, type = '', state = '', stereotype } = parseElementJson(`${identity}}`, publicUrl);
  const model = findFacet(storage.model, facet);
  return {
    facetName: facet,
    id,
    ...(versionId !== undefined && { versionId }),
    type,
    displayNames: findType(storage.model, type)?.displayNames ?? {},
    state,
    ...(stereotype !== undefined && { stereotype }),
    name: names,
    rootPath,
    expandUri: model ? withPublicUrl(`${addressPrefixOf(storage, model)}${elementId}`, publicUrl) : '',
  };
};
