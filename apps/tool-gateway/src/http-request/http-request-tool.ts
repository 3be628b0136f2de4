/**
 * A tool that calls a foreign system over HTTP. Never shows addresses and secrets of the operator, or what a system said about
 * a failure.
 */
import { Logger } from '@nestjs/common';
import type { HttpRequestTool } from '@tessera/contracts/tool-gateway';
import { fail, type Result, succeed } from '@tessera/failures';
import { isTooCostlyToValidate, withMatchStepLimit } from '@tessera/json-schema';
import {
  raceWithAbort,
  findTarget,
  findAllowedHost,
  type OutgoingRequest,
  type Target,
  findUnlistedHostFault,
} from '@tessera/outgoing-http';
import type { SecretMask } from '@tessera/service-kit';
import { buildRequest } from './build-request.js';
import { type ExchangeResult, isSystemFailure, parseAnswerBody } from './exchange.js';
import { pruneToSchema } from './prune-to-schema.js';
import type { RequestContext } from './request-context.js';
import { parseRequestTemplate, type RequestTemplate } from './request-template.js';
import { fillHeaders } from './secrets.js';
import type { JsonObject, Tool, ToolContext, ToolResult } from '../tools/tool.js';

/** As it is called in the answers to its callers. */
const systemFailure = (why: string): Result<never> => fail('TOOL_FAILED', `The foreign system ${why}.`);
const unusableToolFailure = fail(
  'TOOL_FAILED',
  'The definition of the tool does not fit the settings of the platform.',
);

export const createHttpRequestTool = (definition: HttpRequestTool, requestContext: RequestContext): Tool => {
  const { id, name, description, request, inputSchema, outputSchema } = definition;
  const isReadOnly = definition.isReadOnly ?? request.method === 'GET';
  const template = parseRequestTemplate(request.url);
  const run: Tool['run'] = async (arguments_, context) =>
    template.ok
      ? callHost({ definition, template: template.value, isReadOnly, requestContext }, arguments_, context)
      : unusableToolFailure;
  return {
    id,
    title: name ?? id,
    description:
      description ?? `Asks ${template.ok ? template.value.origin.host : 'a foreign system'} by ${request.method}.`,
    isReadOnly,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    run,
  };
};

type RequestCall = {
  readonly definition: HttpRequestTool;
  readonly template: RequestTemplate;
  readonly isReadOnly: boolean;
  readonly requestContext: RequestContext;
};

const callHost = async (
  requestCall: RequestCall,
  arguments_: JsonObject,
  context: ToolContext,
): Promise<Result<ToolResult>> => {
  const { definition, template, isReadOnly, requestContext } = requestCall;
  const { request, outputSchema } = definition;
  const { team } = requestContext;
  const secrets = fillHeaders({ ...requestContext, hostName: template.origin.hostname }, request.headers ?? {});
  if (!secrets) return unusableToolFailure;
  const { method } = request;
  const { requestId } = context;
  const built = buildRequest({
    ...{ method, template, arguments_, isReadOnly, requestId, team },
    headers: secrets.headers,
  });
  if (!built.ok) return built;
  const sent = await sendToHost(requestCall, built.value, context);
  return sent.ok ? toResult(sent.value, secrets.mask, outputSchema) : sent;
};

/** Finding the host counts to the time; a failure to find it is none of the system's. */
const sendToHost = async (
  { template, requestContext }: RequestCall,
  request: OutgoingRequest,
  context: ToolContext,
): Promise<Result<ExchangeResult>> => {
  const { guards, exchange, team, timeoutMs } = requestContext;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)]);
  const outcome = await guards.run(
    { team, host: template.origin.host },
    async () => {
      const target = await raceWithAbort(findHost(template.origin, requestContext), signal);
      if (target === undefined) return succeed<ExchangeResult>({ kind: 'failed', why: 'did not answer in time' });
      return target.ok ? succeed(await exchange(target.value, request, signal)) : target;
    },
    // Who leaves says nothing about the system.
    (result) => result.ok && isSystemFailure(result.value) && !context.signal.aborted,
  );
  return outcome.ok ? outcome.value : outcome;
};

const logger = new Logger('HttpRequest');

/** Told by the address alone. */
const hostNotAllowed = fail(
  'TOOL_FAILED',
  'The host of the tool is not of the public Internet, and the operator has not listed it.',
);
const foreignNotFound = fail(
  'TOOL_FAILED',
  'The host of the tool was not found in the public Internet, and the operator has not listed it.',
);
const listedNotFound = fail(
  'TOOL_FAILED',
  'The host of the tool was not found where the operator has said that it is.',
);

/** The host of a tool as its target; only the log says why it is not reached. */
const findHost = async (origin: URL, requestContext: RequestContext): Promise<Result<Target>> => {
  const { team } = requestContext;
  const listed = findAllowedHost(requestContext, origin);
  if (!listed && findUnlistedHostFault(origin) !== undefined) return hostNotAllowed;
  const onRefused = (host: string, why: string): void =>
    logger.warn(`A tool of the team ${team} asked for the host ${host}, whose name ${why}.`);
  const target = await findTarget(origin, listed && new URL(listed.address), { ...requestContext, onRefused });
  return target ? succeed(target) : listed ? listedNotFound : foreignNotFound;
};

const toResult = (
  answer: ExchangeResult,
  mask: SecretMask,
  outputSchema: JsonObject | undefined,
): Result<ToolResult> => {
  const read = parseAnswerBody(answer);
  if (!read.ok) return systemFailure(read.why);
  if (outputSchema === undefined) return succeed({ value: mask.value(read.value) });
  if (isTooCostlyToValidate(outputSchema, read.value))
    return systemFailure('answered more values than its output schema is for');
  return succeed({ value: mask.value(withMatchStepLimit(() => pruneToSchema(outputSchema, read.value))) });
};
