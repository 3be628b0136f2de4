/**
 * The parts of one element: each is a list at an address of its own. Never shows a part of what the view does not show.
 * Small parts are read on the connections of single reads.
 */
import { Controller } from '@nestjs/common';
import { findFacet, isUuid, findType } from '@tessera/content-model';
import type { ByteReply, HttpOperation, RequestOf } from '@tessera/contracts';
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
import { createJsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { Pools } from '../database.module.js';
import { parseElementJson } from '../elements/element-json.js';
import { findElementInStorage } from '../elements/find-element.js';
import type { ReshapeOptions } from '../elements/reshape.js';
import { nextPageAddress, pageHeaders } from '../next-page.js';
import { type ApiVersion, contentNotFound, listMemberName, notModifiedReply } from '../replies.js';
import { readStorage } from '../storage/read-storage.js';
import { StorageDefinitions } from '../storage/storage-definitions.js';
import { filterAttributes, filterRelated } from './filter-parts.js';
import {
  toAttributeEntries,
  findAttributesByName,
  toElementDescription,
  type ElementPresentation,
  toElementPermissions,
  toRelationEntries,
  findRelationByName,
} from './present-parts.js';

/** What all of them ask for; some also for a page, or for some of the elements. */
type Request = Omit<RequestOf<typeof listAttributes>, 'apiVersion' | '$select'> &
  ReshapeOptions & {
    readonly apiVersion: ApiVersion;
    readonly $page?: number;
    readonly $pageSize?: number;
  };

/** The body of an answer, and how many entries there are on all pages. */
type PartBody = { readonly body: Readonly<Record<string, unknown>>; readonly total: number };

@Controller()
export class ElementPartsHandler {
  constructor(
    private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(listAttributes)
  attributes(request: RequestOf<typeof listAttributes>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#part(listAttributes, request, context, ['attributes'], (part) =>
      succeed(attributesBody(request, part)),
    );
  }

  @Serves(readAttribute)
  attribute(request: RequestOf<typeof readAttribute>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#part(readAttribute, request, context, ['attributes'], (part) => {
      const attributes = findAttributesByName(part, request.attributeName);
      if (!attributes.ok) return attributes;
      return succeed(attributesBody(request, { ...part, element: { ...part.element, attributes: attributes.value } }));
    });
  }

  @Serves(listRelations)
  relations(request: RequestOf<typeof listRelations>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#part(listRelations, request, context, relatedResources(request), (part) =>
      succeed(
        request.apiVersion === '1.0'
          ? membersBody(part.element.related ?? {})
          : listBody(request, toRelationEntries(part)),
      ),
    );
  }

  @Serves(readRelation)
  relation(request: RequestOf<typeof readRelation>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#part(readRelation, request, context, relatedResources(request), (part) => {
      const relation = findRelationByName(part, request.relationName);
      if (!relation.ok) return relation;
      const { name, references } = relation.value;
      if (request.apiVersion === '4.0') return succeed(listBody(request, references));
      const members = references.length > 0 ? { [name]: pageOf(request, references) } : {};
      return succeed({ ...membersBody(members), total: references.length });
    });
  }

  @Serves(listContent)
  content(request: RequestOf<typeof listContent>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#part(listContent, request, context, ['content'], ({ element }) =>
      succeed(listBody(request, element.content ?? [])),
    );
  }

  @Serves(describeElement)
  describe(request: RequestOf<typeof describeElement>, context: OperationContext): Promise<Result<ByteReply>> {
    const { scopes } = context.caller;
    const resources = request.apiVersion === '1.0' ? permissionResources : (['attributes', 'rootPath'] as const);
    return this.#part(describeElement, request, context, resources, (part) =>
      succeed(
        listBody(request, [
          request.apiVersion === '1.0'
            ? toElementPermissions(part, scopes, request)
            : toElementDescription(part, context.publicUrl),
        ]),
      ),
    );
  }

  /** `present` makes the body of the element, which was read with the resources that it needs. */
  #part(
    operation: HttpOperation,
    request: Request,
    context: OperationContext,
    $resources: readonly ResourceName[],
    present: (part: ElementPresentation) => Result<PartBody>,
  ): Promise<Result<ByteReply>> {
    const { publicUrl } = context;
    const source = { pool: this.pools.light, light: this.pools.light, definitions: this.definitions };
    return readStorage(source, request, context, async ({ snapshot, storage, etag }) => {
      if (!isUuid(request.elementId)) return contentNotFound;
      const requested = { ...request, elementId: request.elementId.toLowerCase(), $resources };
      const found = await findElementInStorage(snapshot, storage, requested, publicUrl);
      if (!found.ok) return found;
      const { text, state, holder } = found.value;
      const whole = parseElementJson(text, publicUrl);
      const { $filter } = request;
      const filtered =
        $filter === undefined
          ? succeed(whole)
          : $resources.includes('related')
            ? await filterRelated(snapshot, storage, whole, $filter)
            : await filterAttributes(snapshot, storage, whole, $filter, findFacet(storage.model, request.facetId));
      if (!filtered.ok) return filtered;
      const element = filtered.value;
      const type = findType(storage.model, element.type ?? '');
      const presented = present({ element, type, storage, revision: state.revision ?? '0', holder });
      if (!presented.ok) return presented;
      const { body, total } = presented.value;
      const { count, ...list } = body;
      const { $page = 1, $pageSize = total } = request;
      const next = $page * $pageSize < total ? nextPageAddress(operation, request, publicUrl) : undefined;
      const nextUri = next !== undefined && request.apiVersion !== '1.0' ? { nextUri: next } : {};
      const tag = etag(state.revision);
      const headers = { etag: tag, ...pageHeaders(total, next) };
      return notModifiedReply(request, tag) ?? createJsonReply({ count, ...nextUri, ...list }, headers);
    });
  }
}

const permissionResources = ['attributes', 'related', 'content', 'children', 'rootPath'] as const;

/** What takes the place of a reference has its attributes, names and references. */
const relatedResources = ({ $expandRelated }: ReshapeOptions): readonly ResourceName[] =>
  $expandRelated ? ['attributes', 'related', 'displayNames'] : ['related'];

const attributesBody = (request: Request, part: ElementPresentation): PartBody =>
  request.apiVersion === '1.0'
    ? membersBody(part.element.attributes ?? {})
    : listBody(request, toAttributeEntries(part));

const membersBody = (values: Readonly<Record<string, unknown>>): PartBody => {
  const total = Object.keys(values).length;
  return { body: { count: total, values }, total };
};

/** The page asked for; all of a list that has no pages. */
const listBody = (request: Request, list: readonly object[]): PartBody => {
  const page = pageOf(request, list);
  return { body: { count: page.length, [listMemberName(request.apiVersion)]: page }, total: list.length };
};

const pageOf = <Item>({ $page, $pageSize }: Request, list: readonly Item[]): readonly Item[] =>
  $page === undefined || $pageSize === undefined ? list : list.slice(($page - 1) * $pageSize, $page * $pageSize);
