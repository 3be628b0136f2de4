/** Public OData client libraries behind one small interface, used as their users would. */
import { OData } from '@odata/client';
import { o } from 'odata';
import { oData } from 'ts-odatajs';
import { memberOf, parseJson, textOf } from './json.js';

type Page = { readonly rows: readonly unknown[]; readonly next: string; readonly count: unknown };

export type ODataClient = {
  /** What the client made of `$metadata`. */
  readonly metadata: () => Promise<unknown>;
  /** The first page of a set with its count, or the page behind a link. */
  readonly first: (set: string, filter?: string) => Promise<Page>;
  readonly follow: (link: string) => Promise<Page>;
  /** What the client says of a failure. */
  readonly failure: (set: string, filter: string) => Promise<string>;
};

const pageOf = (document: unknown): Page => {
  const rows = memberOf(document, 'value');
  const [next, count] = [textOf(document, '@odata.nextLink'), memberOf(document, '@odata.count')];
  return { rows: Array.isArray(rows) ? rows : [], next, count };
};

/** @odata/client: asks for JSON, so its metadata is CSDL JSON. */
export const createOdataFetchClient = (root: string, headers: Record<string, string>) => {
  const client = OData.New4({ version: 'v4', serviceEndpoint: `${root}/`, commonHeaders: headers });
  const requestUrl = (collection: string): Promise<unknown> => client.newRequest({ collection });
  const filtered = (collection: string, filter = ''): Promise<unknown> => {
    const options = client.newOptions().count(true);
    return client.newRequest({ collection, params: filter === '' ? options : options.filter(filter) });
  };
  const common: ODataClient = {
    metadata: () => requestUrl('$metadata'),
    first: async (set, filter) => pageOf(await filtered(set, filter)),
    follow: async (link) => pageOf(await requestUrl(link.slice(link.indexOf('.svc/') + '.svc/'.length))),
    failure: (set, filter) =>
      client
        .getEntitySet(set)
        .query(client.newOptions().filter(filter))
        .then(
          () => 'no failure',
          (error: Error) => error.message,
        ),
  };
  return { ...common, client };
};

/** ts-odatajs: parses CSDL XML, and reads entries with what it knows from it. */
export const createOdataJsClient = (root: string, headers: Record<string, string>): ODataClient => {
  const read = (requestUri: string, handler?: typeof oData.metadataHandler): Promise<unknown> =>
    new Promise((resolve, reject) => {
      oData.read({ requestUri, headers: { ...headers } }, resolve, reject, handler);
    });
  const address = (set: string, filter = '') =>
    `${root}/${set}?$count=true${filter && `&$filter=${encodeURIComponent(filter)}`}`;
  return {
    metadata: () => read(`${root}/$metadata`, oData.metadataHandler),
    first: async (set, filter) => pageOf(await read(address(set, filter))),
    follow: async (link) => pageOf(await read(link)),
    failure: (set, filter) =>
      read(address(set, filter)).then(
        () => 'no failure',
        (error: unknown) => textOf(error, 'response', 'body'),
      ),
  };
};

/** o.js: takes headers as they are sent, and gives the answer of `fetch` or what is in it. */
export const createOJsClient = (root: string, headers: Record<string, string>) => {
  // Its batches have headers of their own; without addresses from the service on it sends whole ones.
  const batchOptions = (useRelativeURLs: boolean) => ({
    ...{ endpoint: '$batch', headers: new Headers(headers), boundaryPrefix: 'batch_', useChangset: false },
    useRelativeURLs,
  });
  const open = (address = `${root}/`, isRelative = false) =>
    o(address, { headers: new Headers(headers), batch: batchOptions(isRelative) });
  const options = (filter = '') => ({ $count: true, ...(filter !== '' && { $filter: filter }) });
  const fetched = async (answer: Promise<Response | Response[]>): Promise<string> => {
    const [response] = [await answer].flat();
    return response === undefined ? '' : response.text();
  };
  const common: ODataClient = {
    metadata: () => fetched(open().get('$metadata').fetch()),
    first: async (set, filter) => pageOf(parseJson(await fetched(open().get(set).fetch(options(filter))))),
    follow: async (link) => pageOf(parseJson(await fetched(open(link).get().fetch()))),
    failure: (set, filter) =>
      open()
        .get(set)
        .query(options(filter))
        .then(
          () => 'no failure',
          (refused: Response) => refused.text(),
        ),
  };
  /** The answers of these addresses in one request. */
  const batch = async (addresses: readonly string[], isRelative: boolean): Promise<unknown> =>
    addresses.reduce((handler, address) => handler.get(address), open(undefined, isRelative)).batch();
  return { ...common, batch };
};
