/** The bodies are made by the code that makes them at the edge. */
import { describe, expect, it } from '@jest/globals';
import { toErrorDto, fail, toOperationResult, toProblemEvent, toProblem, toValidationErrors } from '@tessera/failures';
import { CallError, failureOf, failureOfEvent, refusalOf } from './failures.js';

const fault = { in: 'body', path: 'a.0', message: 'expected a number', rule: 'type', suggestion: 'b', position: 3 };
const { failure } = fail('GENERAL_CONSTRAINT_VIOLATION', 'Two faults.', { faults: [fault], retryAfterSeconds: 2 });

const read = (body: unknown, status = 400, headers: Record<string, string> = { 'x-request-id': 'r1' }) =>
  failureOf({ status, headers: new Headers(headers), body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('a failure', () => {
  it('of a Problem says code, words, way out and faults', () => {
    expect(read(toProblem(failure, '/x'))).toEqual({
      ...{ kind: 'refused', status: 400, requestId: 'r1', code: 'GENERAL_CONSTRAINT_VIOLATION' },
      title: 'Constraint violated',
      detail: expect.stringMatching(/^Two faults\./),
      next: expect.stringMatching(/^Correct every fault/),
      faults: [fault],
    });
  });

  it('of content says code and words', () => {
    expect(read(toOperationResult(failure))).toMatchObject({
      ...{ kind: 'refused', code: 'GENERAL_CONSTRAINT_VIOLATION', title: '', faults: [] },
      detail: expect.stringMatching(/^Two faults\./),
    });
  });

  it('of knowledge models says code, title and words', () => {
    expect(read(toErrorDto(failure))).toMatchObject({
      ...{ kind: 'refused', code: 'GENERAL_CONSTRAINT_VIOLATION', title: 'Constraint violated' },
      detail: expect.stringMatching(/^Two faults\./),
    });
  });

  it('of the arguments of a tool says each argument', () => {
    const refused = read(toValidationErrors(failure), 422);
    expect(refused).toMatchObject({ kind: 'refused', status: 422, code: 'type', detail: 'expected a number' });
    expect(refused).toMatchObject({
      faults: [{ in: 'body', path: 'a.0', message: 'expected a number', rule: 'type', suggestion: 'Did you mean b?' }],
    });
  });

  it('says when to try again', () => {
    expect(read(toProblem(failure), 503, { 'retry-after': '7' })).toMatchObject({ retryAfterSeconds: 7 });
    expect(read(toProblem(failure), 503, {})).not.toHaveProperty('retryAfterSeconds');
  });

  it.each(['', '<html>502</html>', '"text"', '{"a":1}', 'null'])(
    'that is nothing of ours is unreadable: %s',
    (body) => {
      expect(read(body, 502)).toEqual({ kind: 'unreadable', status: 502, requestId: 'r1' });
    },
  );

  it('that ends a stream is read from the event', () => {
    const data: unknown = JSON.parse(/data: (.*)/.exec(toProblemEvent('error', failure))?.[1] ?? '');
    expect(failureOfEvent(data, new Headers())).toMatchObject({
      ...{ kind: 'refused', status: 400, code: 'GENERAL_CONSTRAINT_VIOLATION', retryAfterSeconds: 2 },
    });
    expect(failureOfEvent('x', new Headers())).toMatchObject({ kind: 'unreadable' });
  });
});

it('an error gives its refusal, any other none', () => {
  const error = new CallError(read(toProblem(failure)));
  expect(refusalOf(error)?.code).toBe('GENERAL_CONSTRAINT_VIOLATION');
  expect(error.message).toMatch(/^Two faults\./);
  expect(refusalOf(new CallError({ kind: 'unreachable' }))).toBeUndefined();
  expect(refusalOf(new Error())).toBeUndefined();
});
