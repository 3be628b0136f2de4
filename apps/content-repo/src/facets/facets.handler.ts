/** A1 the facets of a storage, A2 the views of a facet, its types, and the description of the storage: all from its definition. */
import { Controller } from '@nestjs/common';
import { type FacetModel, findFacet, type StorageModel, type ViewModel } from '@tessera/content-model';
import type { ByteReply, LocalisedText, RequestOf } from '@tessera/contracts';
import { describeStorage, listFacets, listTypes, listViews } from '@tessera/contracts/content-repo';
import type { Result } from '@tessera/failures';
import { createJsonReply, type OperationContext, Serves } from '@tessera/messaging';
import { mapDatabaseErrors } from '@tessera/persistence';
import { Pools } from '../database.module.js';
import { createPoolReader } from '../database/tenant-reader.js';
import { pageHeaders } from '../next-page.js';
import { type ConditionalRequest, contentNotFound, etagOf, notModifiedReply } from '../replies.js';
import { StorageDefinitions, type StorageNames, toEtagState } from '../storage/storage-definitions.js';
import { chooseDisplayName } from './choose-culture.js';
import { presentTypes } from './present-types.js';

@Controller()
export class FacetsHandler {
  constructor(
    private readonly pools: Pools,
    private readonly definitions: StorageDefinitions,
  ) {}

  @Serves(describeStorage)
  describe(request: RequestOf<typeof describeStorage>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#reply(request, context, (model, address) => {
      if (request.apiVersion === '1.0') return presentStorage(model, address, context.publicUrl);
      const { title, collection, id, cultures, defaultCulture } = model;
      return { count: 1, elements: [{ title, collection, id, cultures, defaultCulture, facets: `${address}/facets` }] };
    });
  }

  @Serves(listFacets)
  facets(request: RequestOf<typeof listFacets>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#reply(request, context, (model, address) => presentFacets(model, address, request));
  }

  @Serves(listViews)
  views(request: RequestOf<typeof listViews>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#reply(request, context, (model, address) => {
      const facet = findFacet(model, request.facetId);
      return facet && presentViews(model, facet, address, request);
    });
  }

  @Serves(listTypes)
  types(request: RequestOf<typeof listTypes>, context: OperationContext): Promise<Result<ByteReply>> {
    return this.#reply(request, context, (model) => {
      const facet = findFacet(model, request.facetId);
      return facet && listOf(presentTypes(model, facet));
    });
  }

  /** `present`: from the definition and the storage's address with scheme and host; undefined for what is not there. */
  #reply(
    request: StorageNames & ConditionalRequest,
    { caller, publicUrl }: OperationContext,
    present: (model: StorageModel, address: string) => Readonly<Record<string, unknown>> | undefined,
  ): Promise<Result<ByteReply>> {
    return mapDatabaseErrors(async () => {
      const storage = await this.definitions.find(createPoolReader(this.pools.light, caller.team), request);
      if (!storage.ok) return storage;
      const body = present(storage.value.model, `${publicUrl}${storage.value.path}`);
      if (!body) return contentNotFound;
      const etag = etagOf(toEtagState(storage.value), request, publicUrl);
      return (
        notModifiedReply(request, etag) ??
        createJsonReply(body, { etag, ...(typeof body['count'] === 'number' && pageHeaders(body['count'], undefined)) })
      );
    });
  }
}

const presentStorage = (model: StorageModel, apiUrl: string, publicUrl: string) => {
  const mandatory = new Set(
    model.types.flatMap(({ attributes }) => attributes.flatMap(({ mandatoryCultures }) => mandatoryCultures)),
  );
  return {
    type: 'IStorageContext',
    tenant: model.id,
    title: model.title,
    description: '',
    apiUrl,
    appUrl: `${publicUrl}/console/`,
    dataCultures: model.cultures,
    defaultDataCulture: model.defaultCulture,
    mandatoryCultures: model.cultures.filter((culture) => mandatory.has(culture)),
    optionalCultures: model.cultures.filter((culture) => !mandatory.has(culture)),
    isValid: true,
    timeZone: utc,
  };
};

const utc = {
  Id: 'UTC',
  DisplayName: 'Coordinated Universal Time',
  StandardName: 'UTC',
  DaylightName: 'UTC',
  BaseUtcOffset: '00:00:00',
  SupportsDaylightSavingTime: false,
};

type NamesRequest = { readonly apiVersion: '1.0' | '4.0'; readonly acceptLanguage?: string | undefined };

const presentFacets = (model: StorageModel, address: string, request: NamesRequest) =>
  listOf(
    model.facets.map((facet) => ({
      name: facet.name,
      ...presentNames(facet.displayNames, facet.name, model, request),
      views: `${facetAddress(address, facet)}/views`,
    })),
  );

const presentViews = (model: StorageModel, facet: FacetModel, address: string, request: NamesRequest) =>
  listOf(
    facet.views.map((view: ViewModel) => ({
      name: view.name,
      ...presentNames(view.displayNames, view.name, model, request),
      elements: `${facetAddress(address, facet)}/views/${encodeURIComponent(view.name)}/elements`,
      isHierarchical: view.isHierarchical,
    })),
  );

const facetAddress = (address: string, facet: FacetModel): string =>
  `${address}/facets/${encodeURIComponent(facet.name)}`;

const presentNames = (names: LocalisedText, name: string, { defaultCulture }: StorageModel, request: NamesRequest) =>
  request.apiVersion === '1.0'
    ? { displayName: chooseDisplayName(names, request.acceptLanguage, defaultCulture, name) }
    : { displayNames: names };

const listOf = <Item>(values: readonly Item[]) => ({ count: values.length, values });
