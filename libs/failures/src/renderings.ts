/**
 * The bodies of a failure at the edge, one per group of interfaces. Never shows anything that is not in the failure or the
 * catalogue.
 */
import { failureCatalogue, type FailureCode } from './catalogue.js';
import type { Failure, Fault } from './result.js';

/** The members that the body of every group has beside its own. */
type CommonMembers = {
  readonly errorCode: string;
  /** Empty when the failure is of no member. */
  readonly faults: readonly Fault[];
};

const commonMembersOf = ({ code, faults = [] }: Failure): CommonMembers => ({
  errorCode: code,
  faults: faults.map(withValues),
});

/** A fault always says what would be right where that is known. */
const withValues = (fault: Fault): Fault =>
  fault.values !== undefined || fault.suggestion === undefined ? fault : { ...fault, values: [fault.suggestion] };

/** Group A. `output` and `type` are capitalised on the wire. */
type OperationResult = CommonMembers & {
  readonly message: string;
  readonly output: 'Volatile' | 'Permanent' | 'Dialog' | 'Inline';
  readonly type: 'Critical' | 'Error' | 'Warning' | 'Success' | 'Unauthorized';
  readonly data: { readonly error: string };
};

/** Groups B and C, the administration and unknown paths: RFC 9457, with the code and the way out as further members. */
type Problem = CommonMembers & {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance?: string;
  readonly code: string;
  readonly next: string;
};

/** Group D. `error` is there on a 401 only, so that it is an authErrorDTO as well. */
type ErrorDto = CommonMembers & {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly type: string;
  readonly error?: string;
};

/** OData: an errorDTO with what clients of OData read. With 401 `error` is a text. */
type ODataError = Omit<ErrorDto, 'error'> & {
  readonly error:
    | string
    | {
        readonly code: string;
        readonly message: string;
        readonly details: readonly { readonly code: string; readonly message: string; readonly target: string }[];
      };
};

/** The chat completions protocol. */
type CompletionError = {
  readonly error: CommonMembers & {
    readonly message: string;
    readonly type: string;
    /** The member of the first fault. */
    readonly param: string | null;
    readonly code: string;
  };
};

/** Group B, 422: one for each fault, which it is as well. */
type ValidationError = Fault & {
  readonly error: string;
  readonly attribute: string;
  readonly errorCode: string;
  readonly additionalInfo: string;
};

export const toHttpStatus = (failure: Failure): number => failureCatalogue[failure.code].status;

/** A person is to read it and to act: `Dialog`. 401 and 403 are `Unauthorized`, what is our fault is `Critical`. */
export const toOperationResult = (failure: Failure): OperationResult => ({
  message: describeFailure(failure),
  output: 'Dialog',
  type: failure.code === 'CONTENT_WARNING' ? 'Warning' : severityOf(toHttpStatus(failure)),
  data: { error: failure.code },
  ...commonMembersOf(failure),
});

/** `instance` is the path of the request. */
export const toProblem = (failure: Failure, instance?: string): Problem => {
  const { status, title, next } = failureCatalogue[failure.code];
  return {
    type: 'about:blank',
    title,
    status,
    detail: describeFailure(failure),
    ...(instance !== undefined && { instance }),
    code: failure.code,
    next,
    ...commonMembersOf(failure),
  };
};

/** The same as a server-sent event, with the seconds that the header would tell. */
export const toProblemEvent = (event: string, failure: Failure, instance?: string): string => {
  const { retryAfterSeconds: retryAfter } = failure;
  const data = { ...toProblem(failure, instance), ...(retryAfter !== undefined && { retryAfter }) };
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
};

export const toErrorDto = (failure: Failure): ErrorDto => {
  const { status, title } = failureCatalogue[failure.code];
  return {
    title,
    status,
    detail: describeFailure(failure),
    ...commonMembersOf(failure),
    type: 'about:blank',
    ...(status === 401 && { error: 'Unauthorized' }),
  };
};

export const toODataError = (failure: Failure): ODataError => {
  const { error, ...errorDto } = toErrorDto(failure);
  const details = errorDto.faults.map(({ rule, message, path }) => ({
    code: rule ?? failure.code,
    message,
    target: path,
  }));
  return { ...errorDto, error: error ?? { code: failure.code, message: errorDto.detail, details } };
};

const completionErrorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  429: 'rate_limit_error',
};

export const toCompletionError = (failure: Failure): CompletionError => {
  const status = toHttpStatus(failure);
  const other = status >= 500 ? 'server_error' : 'invalid_request_error';
  return {
    error: {
      message: describeFailure(failure),
      type: completionErrorTypes[status] ?? other,
      param: failure.faults?.[0]?.path || null,
      code: failure.code,
      ...commonMembersOf(failure),
    },
  };
};

/** The same as a server-sent event, after which no other comes. */
export const toCompletionErrorEvent = (failure: Failure): string =>
  `data: ${JSON.stringify(toCompletionError(failure))}\n\n`;

const codesOfJsonRpc: Readonly<Record<number, FailureCode>> = {
  [-32_700]: 'GENERAL_BODY_MALFORMED',
  [-32_600]: 'GENERAL_CONSTRAINT_VIOLATION',
  [-32_601]: 'GENERAL_NOTFOUND',
  [-32_603]: 'ADMIN_FATAL_ERROR',
};

/** The `data` of an error of JSON-RPC, which has a code and a message of its own. */
export const toJsonRpcErrorData = (
  code: number,
  message: string,
  { path = '', suggestion }: Partial<Fault> = {},
): CommonMembers =>
  commonMembersOf({
    code: codesOfJsonRpc[code] ?? 'GENERAL_PARAMETER_ILLEGAL',
    detail: message,
    faults: [{ in: 'body', path, message, ...(suggestion !== undefined && { suggestion }) }],
  });

/** A failure without faults is one fault of the whole; so is, at the end, that there are more. */
export const toValidationErrors = (failure: Failure): readonly ValidationError[] => {
  const whole: Fault = { in: 'body', path: '', message: failure.detail };
  const faults = [...(failure.faults ?? [whole]), ...(failure.hasMoreFaults ? [whole] : [])];
  return faults.map((fault) => ({
    ...withValues(fault),
    error: fault.message,
    attribute: fault.path,
    errorCode: fault.rule ?? failure.code,
    additionalInfo: fault.suggestion === undefined ? '' : `Did you mean ${fault.suggestion}?`,
  }));
};

const severityOf = (status: number): OperationResult['type'] => {
  if (status === 401 || status === 403) return 'Unauthorized';
  return status >= 500 ? 'Critical' : 'Error';
};

/** The detail and every fault, as one text. */
const describeFailure = ({ detail, faults = [] }: Failure): string =>
  [detail, ...faults.filter(({ message }) => message !== detail).map(describeFault)].join(' ');

const describeFault = (fault: Fault): string =>
  `${placeOf(fault)}: ${fault.message}${/[.?!…]$/.test(fault.message) ? '' : '.'}`;

const placeOf = (fault: Fault): string => (fault.path === '' ? `The ${fault.in}` : `${fault.in} ${fault.path}`);
