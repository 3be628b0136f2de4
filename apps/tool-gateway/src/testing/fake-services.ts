/**
 * The services behind the tools for specs: requests are kept, answers can be set. They check scopes as the real ones do.
 */
import { canCall, type Caller, type Operation } from '@tessera/contracts';
import { findContent, listStorages } from '@tessera/contracts/content-repo';
import {
  describeModelForTools,
  loadData,
  listModelNames,
  type ToolKnowledgeModel,
} from '@tessera/contracts/knowledge-models';
import { fail, type Result, succeed } from '@tessera/failures';
import { createJsonReply } from '@tessera/messaging';
import { testModel } from './test-model.js';
import type { Services } from '../tools/call-service.js';

type ServiceRequest = {
  readonly operation: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
};
type Answer = (requests: ServiceRequest) => Result<unknown> | Promise<Result<unknown>>;

export type FakeServices = Services & {
  readonly requests: ServiceRequest[];
  /** What the operation answers from now on. */
  readonly answer: (operation: Operation, answer: Answer) => void;
  /** The model that everybody sees from now on. */
  readonly show: (model: ToolKnowledgeModel) => void;
};

export const createFakeServices = (): FakeServices => {
  const requests: ServiceRequest[] = [];
  let model = { key: 'first', model: testModel };
  const answers = new Map<string, Answer>([
    [
      describeModelForTools.name,
      ({ request }) => {
        if (request['km_id'] !== 'p2p') return fail('KM_MODEL_NOTFOUND', 'There is no such model.');
        return succeed(request['known'] === model.key ? { key: model.key } : model);
      },
    ],
    [listModelNames.name, () => succeed({ published: ['p2p'], drafts: ['p2p', 'next'] })],
    [listStorages.name, () => succeed({ storages: [storage] })],
    [loadData.name, () => succeed(oneRowPage)],
    [findContent.name, () => succeed({ count: 0, elements: [] })],
  ]);
  return {
    requests,
    answer: (operation, answer) => void answers.set(operation.name, answer),
    show: (shown) => void (model = { key: `key ${requests.length}`, model: shown }),
    call: async (operation, request, { caller }) => {
      const serviceRequest = { operation: operation.name, request, caller };
      requests.push(serviceRequest);
      if (!canCall(caller, operation))
        return fail('ADMIN_ACCESS_ERROR', `The credential lacks the scope ${operation.scope}.`);
      const result = await answers.get(operation.name)?.(serviceRequest);
      if (!result) throw new Error(`nobody answers ${operation.name}`);
      return result.ok ? createJsonReply(result.value) : result;
    },
  };
};

const storage = { collection: 'bpm', storage: 'main', title: 'Main', elements: 1, changedAt: '2026-01-01T00:00:00Z' };

export const oneRowPage = {
  page: 0,
  page_size: 50,
  total: 1,
  data_frame_content: {
    data: [{ 'ORDER.NO': '4711' }],
    schema: [{ id: 'ORDER.NO', type: 'STRING', displayName: 'Number' }],
  },
};
