import { describe, expect, it } from '@jest/globals';
import { failureCatalogue, parseFailureCode } from './catalogue.js';
import {
  toCompletionError,
  toCompletionErrorEvent,
  toErrorDto,
  toODataError,
  toOperationResult,
  toProblemEvent,
  toProblem,
  toHttpStatus,
  toJsonRpcErrorData,
  toValidationErrors,
} from './renderings.js';
import { fail, type Failure } from './result.js';

const failureOf = (code: Failure['code'], more = {}): Failure => fail(code, 'Something was wrong.', more).failure;
const faults = [
  {
    in: 'query',
    path: '$resources',
    message: 'expected one of attributes, related',
    rule: 'enum',
    suggestion: 'related',
  },
  { in: 'body', path: '', message: 'expected an object' },
];
/** With what would be right. */
const shownFaults = [{ ...faults[0], values: ['related'] }, faults[1]];

describe('the bodies of all groups', () => {
  it('have the code and the faults, with what would be right, beside the members of the group', () => {
    const failure = failureOf('GENERAL_CONSTRAINT_VIOLATION', { faults });
    const common = { errorCode: 'GENERAL_CONSTRAINT_VIOLATION', faults: shownFaults };
    for (const body of [toOperationResult(failure), toProblem(failure), toErrorDto(failure), toODataError(failure)])
      expect(body).toMatchObject(common);
    expect(toCompletionError(failure).error).toMatchObject(common);
    expect(toValidationErrors(failure)).toMatchObject(shownFaults);
  });

  it('have the code that an error of JSON-RPC stands for, and its fault, as its data', () => {
    expect(toJsonRpcErrorData(-32_602, 'No such tool.', { path: 'params.name', suggestion: 'load' })).toEqual({
      errorCode: 'GENERAL_PARAMETER_ILLEGAL',
      faults: [{ in: 'body', path: 'params.name', message: 'No such tool.', suggestion: 'load', values: ['load'] }],
    });
    expect(toJsonRpcErrorData(-32_700, 'No JSON.')).toMatchObject({ errorCode: 'GENERAL_BODY_MALFORMED' });
  });

  it('keep the values that a fault names itself', () => {
    const fault = { in: 'query', path: 'x', message: 'is not known', suggestion: 'y', values: ['y', 'z'] };
    expect(toErrorDto(failureOf('GENERAL_PARAMETER_ILLEGAL', { faults: [fault] })).faults).toEqual([fault]);
  });

  it('have the faults also as the details of OData, whose error is a text with 401', () => {
    expect(toODataError(failureOf('GENERAL_PARAMETER_ILLEGAL', { faults })).error).toEqual({
      code: 'GENERAL_PARAMETER_ILLEGAL',
      message: expect.stringContaining('expected an object'),
      details: [
        { code: 'enum', message: 'expected one of attributes, related', target: '$resources' },
        { code: 'GENERAL_PARAMETER_ILLEGAL', message: 'expected an object', target: '' },
      ],
    });
    expect(toODataError(failureOf('ACCESS_UNAUTHORIZED'))).toMatchObject({ error: 'Unauthorized', faults: [] });
  });
});

describe('OperationResult', () => {
  it('describes the failure to a person, with capitalised values and the code', () => {
    expect(toOperationResult(failureOf('CONTENT_NOTFOUND'))).toEqual({
      message: 'Something was wrong.',
      output: 'Dialog',
      type: 'Error',
      data: { error: 'CONTENT_NOTFOUND' },
      ...{ errorCode: 'CONTENT_NOTFOUND', faults: [] },
    });
  });

  it('distinguishes missing permissions and internal errors from invalid requests', () => {
    expect(toOperationResult(failureOf('ACCESS_UNAUTHORIZED')).type).toBe('Unauthorized');
    expect(toOperationResult(failureOf('ADMIN_ACCESS_ERROR')).type).toBe('Unauthorized');
    expect(toOperationResult(failureOf('SERVICE_UNAVAILABLE')).type).toBe('Critical');
    expect(toOperationResult(failureOf('LIMIT_RATE_EXCEEDED')).type).toBe('Error');
  });

  it('names every fault in the message', () => {
    expect(toOperationResult(failureOf('GENERAL_PARAMETER_ILLEGAL', { faults })).message).toBe(
      'Something was wrong. query $resources: expected one of attributes, related. The body: expected an object.',
    );
  });

  it('repeats neither the detail nor a fault in the message', () => {
    const same = { in: 'query', path: 'page', message: 'Something was wrong.' };
    const open = { in: 'query', path: 'key', message: 'did you mean "page"?' };
    expect(toOperationResult(failureOf('GENERAL_PARAMETER_ILLEGAL', { faults: [same, open] })).message).toBe(
      'Something was wrong. query key: did you mean "page"?',
    );
  });
});

describe('Problem', () => {
  it('has the members of RFC 9457, the code and the hint', () => {
    expect(toProblem(failureOf('GENERAL_NOTFOUND_PATH'), '/nowhere')).toEqual({
      type: 'about:blank',
      title: 'Path not found',
      status: 404,
      detail: 'Something was wrong.',
      instance: '/nowhere',
      code: 'GENERAL_NOTFOUND_PATH',
      next: failureCatalogue.GENERAL_NOTFOUND_PATH.next,
      ...{ errorCode: 'GENERAL_NOTFOUND_PATH', faults: [] },
    });
  });

  it('is sent as an event in a stream, with the seconds of the Retry-After header', () => {
    const failure = failureOf('SERVICE_UNAVAILABLE', { retryAfterSeconds: 3 });
    const data = JSON.stringify({ ...toProblem(failure, '/turn'), retryAfter: 3 });
    expect(toProblemEvent('error', failure, '/turn')).toBe(`event: error\ndata: ${data}\n\n`);
    expect(toProblemEvent('error', failureOf('GENERAL_NOTFOUND'))).not.toContain('retryAfter');
  });
});

describe('errorDTO', () => {
  it('carries the code as errorCode', () => {
    expect(toErrorDto(failureOf('GENERAL_PARAMETER_MISSING'))).toEqual({
      title: 'Parameter missing',
      status: 400,
      detail: 'Something was wrong.',
      errorCode: 'GENERAL_PARAMETER_MISSING',
      faults: [],
      type: 'about:blank',
    });
  });

  it('has the members of an authErrorDTO when the credential is missing', () => {
    expect(toErrorDto(failureOf('ACCESS_UNAUTHORIZED'))).toMatchObject({ status: 401, error: 'Unauthorized' });
  });
});

describe('ValidationError', () => {
  it('has one entry for each fault', () => {
    expect(toValidationErrors(failureOf('GENERAL_CONSTRAINT_VIOLATION', { faults }))).toEqual([
      {
        ...shownFaults[0],
        error: 'expected one of attributes, related',
        attribute: '$resources',
        errorCode: 'enum',
        additionalInfo: 'Did you mean related?',
      },
      {
        ...shownFaults[1],
        ...{
          error: 'expected an object',
          attribute: '',
          errorCode: 'GENERAL_CONSTRAINT_VIOLATION',
          additionalInfo: '',
        },
      },
    ]);
  });

  it('has one entry for the whole request when the failure has no faults', () => {
    expect(toValidationErrors(failureOf('GENERAL_BODY_MALFORMED'))).toMatchObject([
      { error: 'Something was wrong.', attribute: '', errorCode: 'GENERAL_BODY_MALFORMED', additionalInfo: '' },
    ]);
  });
});

it('the catalogue gives every code an error status, a title and a hint', () => {
  for (const [text, entry] of Object.entries(failureCatalogue)) {
    const code = parseFailureCode(text);
    expect(code).toBe(text);
    if (code) expect(toHttpStatus(failureOf(code))).toBeGreaterThanOrEqual(400);
    expect(entry.title).toMatch(/^[A-Z][A-Za-z ]+$/);
    expect(entry.next).toMatch(/\.$/);
  }
});

describe('an error of the chat completions protocol', () => {
  it('has the kind of the failure, the member of its first fault and the code', () => {
    expect(toCompletionError(failureOf('GENERAL_CONSTRAINT_VIOLATION', { faults }))).toEqual({
      error: {
        message: expect.stringContaining('query $resources: expected one of attributes, related.'),
        ...{ type: 'invalid_request_error', param: '$resources', code: 'GENERAL_CONSTRAINT_VIOLATION' },
        ...{ errorCode: 'GENERAL_CONSTRAINT_VIOLATION', faults: shownFaults },
      },
    });
    const kinds = (
      [
        'ACCESS_UNAUTHORIZED',
        'ADMIN_ACCESS_ERROR',
        'AGENT_NOTFOUND',
        'LIMIT_RATE_EXCEEDED',
        'SERVICE_UNAVAILABLE',
      ] as const
    ).map((code) => toCompletionError(failureOf(code)).error.type);
    expect(kinds).toEqual([
      'authentication_error',
      'permission_error',
      'not_found_error',
      'rate_limit_error',
      'server_error',
    ]);
  });

  it('is one event of a stream, without a name', () => {
    const event = toCompletionErrorEvent(failureOf('SERVICE_UNAVAILABLE'));
    expect(event).toBe(`data: ${JSON.stringify(toCompletionError(failureOf('SERVICE_UNAVAILABLE')))}\n\n`);
  });
});
