import { describe, expect, it } from '@jest/globals';
import { failureCatalogue, parseFailureCode } from './catalogue.js';
import {
  toCompletionError,
  toCompletionErrorEvent,
  toErrorDto,
  toOperationResult,
  toProblemEvent,
  toProblem,
  toHttpStatus,
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

describe('OperationResult', () => {
  it('describes the failure to a person, with capitalised values and the code', () => {
    expect(toOperationResult(failureOf('CONTENT_NOTFOUND'))).toEqual({
      message: 'Something was wrong.',
      output: 'Dialog',
      type: 'Error',
      data: { error: 'CONTENT_NOTFOUND' },
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
    });
  });

  it('lists the faults', () => {
    expect(toProblem(failureOf('GENERAL_CONSTRAINT_VIOLATION', { faults })).faults).toEqual(faults);
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
        error: 'expected one of attributes, related',
        attribute: '$resources',
        errorCode: 'enum',
        additionalInfo: 'Did you mean related?',
      },
      { error: 'expected an object', attribute: '', errorCode: 'GENERAL_CONSTRAINT_VIOLATION', additionalInfo: '' },
    ]);
  });

  it('has one entry for the whole request when the failure has no faults', () => {
    expect(toValidationErrors(failureOf('GENERAL_BODY_MALFORMED'))).toEqual([
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
