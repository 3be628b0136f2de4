/**
 * Calls another service for a tool: its bytes become the result as they are, its failures what a caller of the tool can act on.
 * Never shows a failure that speaks of what the caller did not name.
 */
import { evidenceHeader, type Operation, type RequestOf } from '@tessera/contracts';
import { fail, type Failure, type Fault, type Result, succeed } from '@tessera/failures';
import { type OperationClient, readReplyBytes } from '@tessera/messaging';
import type { ToolContext, ToolResult } from './tool.js';

export type Services = Pick<OperationClient, 'call'>;

type ServiceCall = {
  readonly operation: Operation;
  readonly request: RequestOf<Operation>;
  /** What the asset refers to, for the failure that it is not there: `knowledge model p2p`. */
  readonly subject: string;
  /** The argument that names what may not fit together. */
  readonly columnsAt?: string;
};

export const callService = async (
  services: Services,
  call: ServiceCall,
  context: ToolContext,
): Promise<Result<ToolResult>> => {
  const answer = await services.call(call.operation, call.request, context, context.signal);
  if (!answer.ok) return { ok: false, failure: toToolFailure(answer.failure, call) };
  const bytes = await readReplyBytes(answer.value, { bytesMax: answerBytesMax, tooLarge });
  if (!bytes.ok) return bytes;
  const evidence = answer.value.headers?.[evidenceHeader];
  return succeed({ bytes: bytes.value, ...(evidence !== undefined && { evidence }) });
};

/** Of what a tool answers; more is not worth anybody's memory. */
const answerBytesMax = 4 * 1024 * 1024;

const tooLarge = fail('TOOL_ARGUMENTS_INVALID', 'The answer would be larger than 4 MiB.', {
  faults: [{ in: 'body', path: '', rule: 'size', message: 'expected a question for fewer rows or columns' }],
});
export const toToolFailure = (
  failure: Failure,
  { subject, columnsAt = '' }: Pick<ServiceCall, 'subject' | 'columnsAt'>,
): Failure => {
  switch (failure.code) {
    case 'TOOL_ARGUMENTS_INVALID':
    case 'ADMIN_ACCESS_ERROR':
    case 'SERVICE_UNAVAILABLE':
    case 'ADMIN_FATAL_ERROR':
      return failure;
    case 'KM_MODEL_NOTFOUND':
    case 'CONTENT_NOTFOUND':
      return fail('TOOL_FAILED', `The asset refers to the ${subject}, which is not there.`).failure;
    case 'KM_JOIN_NOTFOUND':
      return invalidArguments(failure.detail, [
        { in: 'body', path: columnsAt, message: failure.detail, rule: 'related' },
      ]);
    case 'GENERAL_PARAMETER_MISSMATCH':
      return invalidArguments(failure.detail, [
        { in: 'body', path: columnsAt, message: failure.detail, rule: 'combination' },
      ]);
    case 'GENERAL_CONSTRAINT_VIOLATION':
      return invalidArguments(failure.detail, (failure.faults ?? []).map(toArgumentFault));
    default:
      return fail('TOOL_FAILED', failure.detail).failure;
  }
};

const invalidArguments = (detail: string, faults: readonly Fault[]): Failure =>
  fail('TOOL_ARGUMENTS_INVALID', detail, { faults }).failure;

/** The operation has the arguments as one of its members. */
const toArgumentFault = (fault: Fault): Fault => ({
  ...fault,
  in: 'body',
  path: fault.path.replace(/^arguments(\.|$)/, ''),
});
