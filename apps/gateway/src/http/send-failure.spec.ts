import { describe, expect, it } from '@jest/globals';
import { failureCatalogue, parseFailureCode, type Failure } from '@tessera/failures';
import { toFailureAnswer } from './send-failure.js';

const faults = [{ in: 'body', path: 'columns.0', message: 'is not known', rule: 'enum', suggestion: 'AMOUNT' }];
const failure: Failure = { code: 'GENERAL_CONSTRAINT_VIOLATION', detail: 'The request has a fault.', faults };
const groups = ['A', 'B', 'C', 'D', 'admin', undefined] as const;

const bodyOf = (code: Failure['code'], group: (typeof groups)[number], isOData?: true) => {
  const http = group && { group, ...(isOData && { isOData }) };
  const { body, ...rest } = toFailureAnswer({ code, detail: 'detail of a service' }, http, '/path');
  return { ...rest, body: JSON.parse(body) };
};

describe('a failure as an answer', () => {
  it('has, for every code, the status of the catalogue and the media type of its interface', () => {
    for (const [text, { status }] of Object.entries(failureCatalogue))
      for (const group of groups) {
        const code = parseFailureCode(text);
        if (code === undefined) throw new Error(text);
        const answer = bodyOf(code, group);
        expect(answer.status).toBe(status);
        const isPlain = group === 'A' || (group === 'B' && status === 422);
        expect(answer.contentType).toBe(`application/${isPlain ? 'json' : 'problem+json'}; charset=utf-8`);
      }
  });

  it('is an OperationResult in the content repository', () => {
    expect(bodyOf('SERVICE_UNAVAILABLE', 'A').body).toEqual({
      message: 'detail of a service',
      output: 'Dialog',
      type: 'Critical',
      data: { error: 'SERVICE_UNAVAILABLE' },
      errorCode: 'SERVICE_UNAVAILABLE',
      faults: [],
    });
  });

  it('names the missing path in the content repository and not the detail of the service', () => {
    expect(bodyOf('CONTENT_NOTFOUND', 'A').body.message).toBe('There is nothing at /path');
  });

  it('is a Problem for tools, agents, the administration and paths of no interface', () => {
    for (const group of ['B', 'C', 'admin', undefined] as const)
      expect(bodyOf('GENERAL_NOTFOUND', group).body).toMatchObject({
        type: 'about:blank',
        title: 'Not found',
        status: 404,
        detail: 'detail of a service',
        instance: '/path',
        code: 'GENERAL_NOTFOUND',
      });
  });

  it('is an errorDTO for knowledge models, and with 401 also an authErrorDTO', () => {
    expect(bodyOf('LIMIT_RATE_EXCEEDED', 'D').body).toMatchObject({ errorCode: 'LIMIT_RATE_EXCEEDED', status: 429 });
    expect(bodyOf('LIMIT_RATE_EXCEEDED', 'D').body).not.toHaveProperty('error');
    expect(bodyOf('ACCESS_UNAUTHORIZED', 'D').body).toMatchObject({
      errorCode: 'ACCESS_UNAUTHORIZED',
      error: 'Unauthorized',
    });
  });

  it('has the OData error member on OData paths, except with 401', () => {
    expect(bodyOf('KM_FIELD_NOTFOUND', 'D', true)).toMatchObject({
      status: 400,
      contentType: 'application/problem+json; charset=utf-8',
      body: {
        detail: 'detail of a service',
        errorCode: 'KM_FIELD_NOTFOUND',
        error: { code: 'KM_FIELD_NOTFOUND', message: 'detail of a service' },
      },
    });
    expect(bodyOf('ACCESS_UNAUTHORIZED', 'D', true)).toEqual(bodyOf('ACCESS_UNAUTHORIZED', 'D'));
  });

  it('reports in every interface that an Idempotency-Key was used for another request', () => {
    const bodies = groups.map((group) => bodyOf('GENERAL_IDEMPOTENCY_MISMATCH', group).body);
    const problem = { title: 'Idempotency key used for another request', status: 422, detail: 'detail of a service' };
    expect(bodies).toMatchObject([
      { message: 'detail of a service', type: 'Error', data: { error: 'GENERAL_IDEMPOTENCY_MISMATCH' } },
      [{ error: 'detail of a service', attribute: '', errorCode: 'GENERAL_IDEMPOTENCY_MISMATCH' }],
      problem,
      { ...problem, errorCode: 'GENERAL_IDEMPOTENCY_MISMATCH' },
      problem,
      problem,
    ]);
  });

  it('includes its faults', () => {
    const { body } = toFailureAnswer(failure, { group: 'C' }, '/path');
    expect(JSON.parse(body)).toMatchObject({ faults });
  });
});
