/**
 * The parts of one element: each is a list at an address of its own. Never shows a part of what the view does not show.
 * Small parts are read on the connections of single reads.
 */
import { Controller } from '@nestjs/common';
import { isUuid, typeNamed } from '@tessera/content-model';
import type { ByteReply, RequestOf } from '@tessera/contracts';
import {
  describeElement,
  listAttributes,
  listContent,
  listRelations,
  readAttribute,
  readRelation,
  type ResourceName,
} from '@tessera/contracts/content-repo';
import { type Result, succeed } from '@tessera/failures';
import { jsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { Pools } from '../database.module.js';
import { parseElement } from '../elements/element-json.js';
import { findElementIn } from '../elements/find-element.js';
import { contentNotFound, listName, unchangedReply } from '../replies.js';
import { readStorage } from '../storage/read-storage.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import {
  attributeEntries,
  attributeEntry,
  descriptionOf,
  type Part,
  referencesOf,
  relationEntries,
} from './present-parts.js';

/** What all of them ask for; some also for a page. */
type Request = RequestOf<typeof listAttributes> & { readonly $page?: number; readonly $pageSize?: number };

@Controller()
export class ElementPartsHandler {
  constructor(
    private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(listAttributes)
  attributes(request: RequestOf<typeof listAttributes>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#part(request, context, ['attributes'], (part) => succeed(attributeEntries(part)));
  }

  @Serves(readAttribute)
  attribute(request: RequestOf<typeof readAttribute>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#part(request, context, ['attributes'], (part) => attributeEntry(part, request.attributeName));
  }

  @Serves(listRelations)
  relations(request: RequestOf<typeof listRelations>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#part(request, context, ['related'], (part) => succeed(relationEntries(part, request.apiVersion)));
  }

  @Serves(readRelation)
  relation(request: RequestOf<typeof readRelation>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#part(request, context, ['related'], (part) => referencesOf(part, request.relationName));
  }

  @Serves(listContent)
  content(request: RequestOf<typeof listContent>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#part(request, context, ['content'], ({ element }) => succeed(element.content ?? []));
  }

  @Serves(describeElement)
  describe(request: RequestOf<typeof describeElement>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#part(request, context, ['attributes', 'rootPath'], (part) =>
      succeed([descriptionOf(part, context.publicUrl)]),
    );
  }

  /** `present` makes the list of the element, which was read with the resources that it needs. */
  #part(
    request: Request,
    context: OperationContext,
    $resources: readonly ResourceName[],
    present: (part: Part) => Result<readonly object[]>,
  ): Promise<Result<ByteReply>> {
    const { publicUrl } = context;
    const source = { pool: this.pools.light, definitions: this.definitions };
    return readStorage(source, request, context, async ({ snapshot, storage, etag }) => {
      if (!isUuid(request.elementId)) return contentNotFound;
      const requested = { ...request, elementId: request.elementId.toLowerCase(), $resources };
      const found = await findElementIn(snapshot, storage, requested, publicUrl);
      if (!found.ok) return found;
      const { text, state, holder } = found.value;
      const element = parseElement(text, publicUrl);
      const type = typeNamed(storage.model, element.type ?? '');
      const list = present({ element, type, storage, revision: state.revision ?? '0', holder });
      if (!list.ok) return list;
      const tag = etag(state.revision);
      return unchangedReply(request, tag) ?? listReply(request, list.value, tag);
    });
  }
}

/** The page asked for, with the total; all of a list that has no pages. */
const listReply = (request: Request, list: readonly object[], etag: string): Result<ByteReply> => {
  const { $page, $pageSize, apiVersion } = request;
  const isPaged = $page !== undefined && $pageSize !== undefined;
  const page = isPaged ? list.slice(($page - 1) * $pageSize, $page * $pageSize) : list;
  const headers = { etag, ...(isPaged && { 'x-total-count': String(list.length) }) };
  return jsonReply({ count: page.length, [listName(apiVersion)]: page }, headers);
};
