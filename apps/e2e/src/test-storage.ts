/**
 * A test storage, made through the administration and used through the gateway. Every answer is returned with its
 * status.
 */
import { randomUUID } from 'node:crypto';
import { memberOf, parseJson, textOf } from './json.js';
import type { RunningProduct } from './product.js';

export const testTeam = 'meridian';
export const testStoragePath = '/trial/writes/_api/rest';

export type ApiAnswer = { readonly status: number; readonly document: unknown };

const definition = {
  kind: 'Storage',
  collection: 'trial',
  id: 'writes',
  title: 'Written by tests',
  cultures: [1033, 1031],
  defaultCulture: 1033,
  facets: [
    { name: 'processes', displayNames: { 1033: 'Processes' } },
    { name: 'users', displayNames: { 1033: 'Users' } },
  ],
  types: [
    {
      name: 'area',
      facet: 'processes',
      displayNames: { 1033: 'Area' },
      attributes: [{ name: 'name', localised: true }],
      childTypes: ['area', 'process'],
    },
    {
      name: 'process',
      facet: 'processes',
      versioned: true,
      displayNames: { 1033: 'Process' },
      attributes: [{ name: 'name', localised: true, mandatory: true }],
      childTypes: ['process'],
      contentTypes: ['symbol'],
    },
    { name: 'symbol', facet: 'processes', displayNames: { 1033: 'Symbol' }, attributes: [{ name: 'name' }] },
    { name: 'user', facet: 'users', displayNames: { 1033: 'User' }, attributes: [{ name: 'name' }] },
  ],
  relations: [{ name: 'uses' }],
  userType: 'user',
};

/** Without elements; they are written. */
export const createTestStorage = async (product: RunningProduct, owner = testTeam): Promise<void> => {
  const imports = `/admin/teams/${owner}/storages/trial/writes/imports`;
  const begun = await callProduct(product, 'ADMIN_KEY', 'POST', imports, { definition });
  const committed = await callProduct(
    product,
    'ADMIN_KEY',
    'POST',
    `${imports}/${textOf(begun.document, 'importId')}/commit`,
  );
  if (textOf(committed.document, 'state') !== 'committed')
    throw new Error(`The trial storage was not made: ${JSON.stringify([begun, committed])}`);
};

type CallOptions = { readonly headers?: Readonly<Record<string, string>> };

export const callProduct = async (
  product: RunningProduct,
  keyName: string,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
  { headers = {} }: CallOptions = {},
): Promise<ApiAnswer> => {
  const response = await fetch((product.gateways[0] ?? '') + path, {
    method,
    headers: {
      AppKey: product.environment[keyName] ?? '',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, document: parseJson(await response.text()) };
};

export const readStorage = (product: RunningProduct, path: string): Promise<ApiAnswer> =>
  callProduct(product, 'DEMO_KEY', 'GET', testStoragePath + path);

const retryMs = 120_000;

/**
 * A write whose outcome is known in the end: it is sent again under one Idempotency-Key for as long as nobody can say
 * what became of it.
 */
export const writeStorage = async (product: RunningProduct, path: string, body?: unknown): Promise<ApiAnswer> => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const endMs = Date.now() + retryMs;
  for (;;) {
    const answer = await callProduct(product, 'DEMO_KEY', 'POST', testStoragePath + path, body, { headers }).catch(
      () => undefined,
    );
    if (answer && !isOutcomeUnknown(answer)) return answer;
    if (Date.now() > endMs) throw new Error(`No outcome of POST ${path}: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const isOutcomeUnknown = ({ status, document }: ApiAnswer): boolean =>
  status === 503 || textOf(document, 'data', 'error') === 'GENERAL_IDEMPOTENCY_RUNNING';

/** The first element of an answer. */
export const firstElementOf = ({ document }: ApiAnswer): unknown => memberOf(document, 'elements', 0);
