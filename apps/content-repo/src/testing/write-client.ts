/** What the specs of writing elements share: the company with a type that has more rules, and the calls. */
import { elementIdOf } from '@tessera/content-model';
import type { ByteReply } from '@tessera/contracts';
import { readElement, writeElements } from '@tessera/contracts/content-repo';
import type { Failure, Result } from '@tessera/failures';
import { ReadElementHandler } from '../elements/read-element.handler.js';
import { WriteElementsHandler } from '../writing/write-elements.handler.js';
import { companyContent } from './company.js';
import {
  readJsonReply,
  readBodyText,
  type Json,
  openTestService,
  testStorageNames,
  type TestService,
  createWriterContext,
} from './open-service.js';

export const testElementIdOf = (key: string): string => elementIdOf({ collection: 'Meridian', id: 'p2p' }, key);

const rule = {
  name: 'rule',
  facet: 'processes',
  displayNames: { 1033: 'Rule' },
  attributes: [
    { name: 'name', localised: true, mandatoryCultures: [1033] },
    { name: 'papers', type: 'file' as const },
  ],
  childTypes: ['rule', 'step'],
};

const content = {
  ...companyContent,
  definition: { ...companyContent.definition, types: [...companyContent.definition.types, rule] },
};

type Element = (typeof writeElements.request._input)['batch']['elements'][number];
type WriteOverrides = Partial<Omit<typeof writeElements.request._input, 'batch'>>;

export type WriteClient = TestService & {
  readonly send: (elements: readonly unknown[], more?: WriteOverrides) => Promise<Result<ByteReply>>;
  /** The elements of the answer; throws when there is a failure. */
  readonly write: (elements: readonly Element[], more?: WriteOverrides) => Promise<Json>;
  readonly refusal: (elements: readonly unknown[], more?: WriteOverrides) => Promise<Failure>;
  /** `path: message` of each fault. */
  readonly faults: (elements: readonly unknown[], more?: WriteOverrides) => Promise<readonly string[]>;
  readonly read: (id: string, facetId?: string) => Promise<Json>;
  readonly etagOf: (id: string) => Promise<string>;
  /** How many entries the audit has. */
  readonly entries: () => Promise<readonly Json[]>;
};

export const openWriteClient = async (subject = 'ann'): Promise<WriteClient> => {
  const service = await openTestService([content]);
  const handler = service.get(WriteElementsHandler);
  const reader = service.get(ReadElementHandler);
  const standard = createWriterContext('meridian');
  const context = { ...standard, caller: { ...standard.caller, subject } };
  const send: WriteClient['send'] = (elements, more = {}) => {
    const path = { ...testStorageNames, facetId: 'processes', viewId: 'detail' };
    return handler.write(writeElements.request.parse({ ...path, ...more, batch: { elements } }), context);
  };
  const refusal: WriteClient['refusal'] = async (elements, more) => {
    const result = await send(elements, more);
    if (result.ok) throw new Error(`It was written: ${(await readBodyText(result.value)).slice(0, 500)}`);
    return result.failure;
  };
  const ask = (elementId: string, facetId = 'processes') =>
    reader.read(readElement.request.parse({ ...testStorageNames, facetId, viewId: 'detail', elementId }), context);
  return {
    ...service,
    send,
    refusal,
    write: async (elements, more) => {
      const body: Json = await readJsonReply(send(elements, more));
      return body.elements;
    },
    faults: async (elements, more) => {
      const { code, faults = [], detail } = await refusal(elements, more);
      if (code !== 'GENERAL_CONSTRAINT_VIOLATION') throw new Error(`${code}: ${detail} ${JSON.stringify(faults)}`);
      return faults.map(({ path, message }) => `${path}: ${message}`);
    },
    read: async (id, facetId) => {
      const body: Json = await readJsonReply(ask(id, facetId));
      return body.elements[0];
    },
    etagOf: async (id) => {
      const [row] = await service.rows(
        `select revision from content_repo.rendition where element_id = $1 and tree_path is not null or version_id = $1`,
        [id],
      );
      return `"${String(row?.['revision'])}"`;
    },
    entries: async () =>
      service.rows(
        'select action, element_id, version_id, detail from content_repo.change_entry order by sequence, ordinal',
      ),
  };
};

/** The id of the version that was never released. */
export const findDraftVersionId = async ({ rows }: WriteClient, key: string): Promise<string> => {
  const [row] = await rows(
    `select version_id from content_repo.element_version
     where element_id = $1 and state not in ('released', 'requestToExpire', 'expired')`,
    [testElementIdOf(key)],
  );
  return String(row?.['version_id']);
};
