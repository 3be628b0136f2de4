/**
 * Valid calls of every operation of group A, made from the contracts: a new operation is called here or fails by name.
 * Each writing call has its own target.
 */
import { fillPath, type HttpOperation } from '@tessera/contracts';
import * as contentRepo from '@tessera/contracts/content-repo';
import { findOperations } from '@tessera/testing';
import { parseJson, textOf } from './json.js';
import type { RunningProduct } from './product.js';
import { firstElementOf, writeStorage, type ApiAnswer } from './test-storage.js';

export const contentOperations: readonly HttpOperation[] = findOperations(contentRepo, 'A');

/** Rows for `it.each`. */
export const toNamedCases = (operations: readonly HttpOperation[]): (readonly [string, HttpOperation])[] =>
  operations.map((operation) => [operation.name, operation] as const);

export const operationsWithMember = (member: string): readonly HttpOperation[] =>
  contentOperations.filter(({ request }) => member in request.shape);

/** The path parameters of an operation by name, what its query needs, and the body. */
export type RequestTarget = {
  readonly path: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

export type RequestOptions = {
  /** `trial/writes` when absent. */
  readonly storage?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The variable of `.tessera/env`. */
  readonly key?: string;
};

export type StorageReply = ApiAnswer & { readonly text: string; readonly headers: Headers; readonly path: string };

export const sendRequest = async (
  product: RunningProduct,
  { http }: HttpOperation,
  target: RequestTarget,
  asked: RequestOptions = {},
): Promise<StorageReply> => {
  const [collectionId = '', storageId = ''] = (asked.storage ?? 'trial/writes').split('/');
  const members: Readonly<Record<string, string>> = { ...target.path, collectionId, storageId };
  const path = fillPath(http, (name) => encodeURIComponent(members[name] ?? ''));
  const query = new URLSearchParams({ ...target.query, ...asked.query }).toString();
  const response = await fetch(`${product.gateways[0]}${path}${query && `?${query}`}`, {
    method: http.method.toUpperCase(),
    headers: {
      AppKey: product.environment[asked.key ?? 'DEMO_KEY'] ?? '',
      ...(target.body !== undefined && { 'Content-Type': 'application/json' }),
      ...asked.headers,
    },
    ...(target.body !== undefined && { body: JSON.stringify(target.body) }),
  });
  const text = await response.text();
  const document = text === '' ? undefined : parseJson(text);
  return { status: response.status, document, text, headers: response.headers, path };
};

const detail = { facetId: 'processes', viewId: 'detail' };
const elements = '/facets/processes/views/detail/elements';

/** Operation name -> its target; writing operations get a new target each time. */
export const createRequestTargetResolver = async (
  product: RunningProduct,
): Promise<(operation: HttpOperation) => Promise<RequestTarget>> => {
  const make = async (element: object): Promise<string> => {
    const answer = await writeStorage(product, elements, { elements: [element] });
    if (answer.status !== 200) throw new Error(`The target was not made: ${JSON.stringify(answer)}`);
    return textOf(firstElementOf(answer), 'id');
  };
  const makeDraft = (more: object = {}): Promise<string> =>
    make({ type: 'process', attributes: { name: { 1033: 'Order', 1031: 'Bestellen' } }, ...more });
  const makeReleased = async (more: object = {}): Promise<string> => {
    const id = await makeDraft(more);
    const released = await writeStorage(product, `/release/${id}/transitions/InProcessToReleased`);
    if (released.status !== 200) throw new Error(`The target was not released: ${JSON.stringify(released)}`);
    return id;
  };
  const used = await make({ type: 'area', attributes: { name: { 1033: 'Used' } } });
  const read = await makeReleased({ related: { uses: [used] }, content: [{ type: 'symbol' }] });
  await make({ type: 'process', parentId: read, attributes: { name: { 1033: 'Below' } } });
  const members = { ...detail, elementId: read, attributeName: 'name', relationName: 'uses' };
  const writing: Readonly<Record<string, () => Promise<RequestTarget>>> = {
    'content.elements.write': async () => ({
      path: detail,
      body: { elements: [{ type: 'area', attributes: { name: { 1033: 'New' } } }] },
    }),
    'content.elements.delete': async () => ({ path: { ...detail, elementId: await make({ type: 'area' }) } }),
    'content.versions.create': async () => ({ path: { elementId: await makeReleased() } }),
    'content.transitions.perform': async () => ({
      path: { elementId: await makeDraft(), transitionId: 'InProcessToInReview' },
    }),
  };
  return async ({ name, effect }) => {
    if (name === 'content.elements.search') return { path: members, query: { $search: 'order' } };
    if (effect === 'read') return { path: members };
    const target = await writing[name]?.();
    if (!target) throw new Error(`${name} writes and has no target yet.`);
    return target;
  };
};
