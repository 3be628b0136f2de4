/** Every example in an order in which each finds what it needs: what is written is written before it is read or deleted. */
import { randomUUID } from 'node:crypto';
import type { HttpOperation, OperationExample } from '@tessera/contracts';
import { parseJson } from '../json.js';
import type { RunningProduct } from '../product.js';
import { adminExamples, agentExamples, toolExamples } from './agent-examples.js';
import { contentAdminExamples, contentExamples, contentWriteExamples } from './content-examples.js';
import { modelAdminExamples, modelExamples, odataExamples } from './model-examples.js';
import {
  readDescribedOperations,
  setMediaType,
  sanitiseRecordedText,
  shortenAnswer,
  sendExample,
  type DescribedOperation,
  type ExampleContext,
  type ExampleRequest,
  type NamedRequest,
  type ExampleAnswer,
} from './send-examples.js';

const requests: readonly NamedRequest[] = [
  ...contentExamples,
  ...contentWriteExamples,
  ...contentAdminExamples,
  ...modelExamples,
  ...odataExamples,
  ...modelAdminExamples,
  ...toolExamples,
  ...agentExamples,
  ...adminExamples,
];

export type RecordedExample = {
  readonly operation: DescribedOperation;
  readonly request: ExampleRequest;
  readonly example: OperationExample;
  /** The whole first answer. */
  readonly answer: unknown;
  /** What was not answered with 200. */
  readonly refusals: readonly string[];
};

/** Operation -> what it was sent and answered. An operation that is asked twice keeps the first. */
export const recordExamples = async (
  product: RunningProduct,
  document: unknown,
  contracts: readonly HttpOperation[],
): Promise<ReadonlyMap<string, RecordedExample>> => {
  const operations = new Map(readDescribedOperations(document).map((operation) => [operation.name, operation]));
  const recordings = new Map<string, RecordedExample>();
  const answers = new Map<string, ExampleAnswer>();
  const context: ExampleContext = {
    answer: (name) => answers.get(name)?.document,
    header: (name, header) => answers.get(name)?.headers.get(header) ?? '',
    uuid: randomUUID,
    key: product.environment['DEMO_KEY'] ?? '',
    get: async (path, headers = {}) => {
      const key = product.environment['DEMO_KEY'] ?? '';
      const response = await fetch((product.gateways[0] ?? '') + path, { headers: { AppKey: key, ...headers } });
      return { document: parseJson(await response.text()), headers: response.headers };
    },
  };
  for (const [name, asked] of requests) {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`There is an example of ${name}, which the document has not.`);
    const request = typeof asked === 'function' ? asked(context) : asked;
    const sent = await sendExample(product, operation, request);
    answers.set(name, sent);
    const contract = contracts.find((each) => each.name === name);
    if (contract !== undefined && !recordings.has(name))
      recordings.set(name, await record({ product, operation, contract, request, context }, sent));
  }
  return recordings;
};

type Sending = {
  readonly product: RunningProduct;
  readonly operation: DescribedOperation;
  readonly contract: HttpOperation;
  readonly request: ExampleRequest;
  readonly context: ExampleContext;
};

/** Whether an answer is what the contract describes; a text of another type than JSON is not described. */
export const createContractCheck =
  ({ reply }: HttpOperation) =>
  (answer: unknown): boolean =>
    typeof answer === 'string' || ('kind' in reply ? reply.schema : reply).safeParse(answer).success;

const record = async (sending: Sending, first: ExampleAnswer): Promise<RecordedExample> => {
  const { product, operation, contract, request, context } = sending;
  const { parameters = {}, body } = request;
  const [firstType = '', ...otherTypes] = operation.mediaTypes;
  const answers: Record<string, unknown> = {
    [firstType]: shortenAnswer(product, first.document, createContractCheck(contract)),
  };
  const refusals: string[] = [];
  const expectSuccess = ({ status, text }: ExampleAnswer, what: string): void => {
    if (status !== 200) refusals.push(`${what}: ${status} ${text}`);
  };
  expectSuccess(first, 'the request');
  for (const mediaType of otherTypes) {
    const sent = await sendExample(product, operation, setMediaType(request, mediaType));
    expectSuccess(sent, mediaType);
    const isOfType = sent.headers.get('content-type')?.startsWith(mediaType) === true;
    if (!isOfType) refusals.push(`${mediaType}: the answer is ${sent.headers.get('content-type')}`);
    answers[mediaType] = shortenAnswer(product, sent.document, createContractCheck(contract));
  }
  const required = operation.parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const further: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(request.further ?? {})) {
    further[name] = typeof given === 'function' ? await given(context) : given;
    const alone = Object.fromEntries([...required.map((each) => [each, parameters[each]]), [name, further[name]]]);
    expectSuccess(await sendExample(product, operation, { parameters: alone, body }), name);
  }
  const example = {
    parameters,
    further,
    ...(body !== undefined && { body: parseJson(sanitiseRecordedText(product, JSON.stringify(body))) }),
    answers,
  };
  return { operation, request, example, answer: first.document, refusals };
};
