import { expect, it } from '@jest/globals';
import { toErrorDto, toOperationResult, toProblem, toValidationErrors } from './renderings.js';
import { fail, type Fault } from './result.js';

const faultsOf = (count: number, name = 'a'): readonly Fault[] =>
  Array.from({ length: count }, (_, index) => ({
    in: 'body',
    path: `${name}.${index}`,
    message: `no ${name}`,
    rule: 'x',
  }));
const more = 'The request has more than 100 faults; the first 100 are listed.';

it('lists the first hundred faults and says that there are more', () => {
  const { failure } = fail('GENERAL_CONSTRAINT_VIOLATION', 'It cannot be written.', { faults: faultsOf(101) });
  expect(failure).toMatchObject({ detail: `It cannot be written. ${more}`, faults: { length: 100 } });
  expect(toProblem(failure).detail).toContain(more);
  const list = toValidationErrors(failure);
  expect(list).toHaveLength(101);
  expect(list.at(-1)).toMatchObject({ error: expect.stringContaining(more), attribute: '' });
});

it('lists a hundred faults unchanged', () => {
  const faults = faultsOf(100);
  const { failure } = fail('GENERAL_CONSTRAINT_VIOLATION', 'It cannot be written.', { faults });
  expect(failure).toEqual({ code: 'GENERAL_CONSTRAINT_VIOLATION', detail: 'It cannot be written.', faults });
  expect(toValidationErrors(failure)).toHaveLength(100);
});

it('lists fewer faults when names are long', () => {
  const { failure } = fail('GENERAL_CONSTRAINT_VIOLATION', '', { faults: faultsOf(90, 'x'.repeat(250)) });
  expect(failure.detail).toMatch(/^The request has 90 faults; the first \d\d are listed\.$/);
});

it.each(['x', 'ä', '\u0000', '😀', '\ud800', '"'])('stays below 64 KB with any content: %j', (sign) => {
  const name = sign.repeat(60_000);
  const { failure } = fail('GENERAL_CONSTRAINT_VIOLATION', name, {
    faults: faultsOf(60_000, name).map((fault) => ({ ...fault, suggestion: name })),
  });
  const bodies = [
    toOperationResult(failure),
    toProblem(failure, `/${'%00'.repeat(2_600)}`),
    toErrorDto(failure),
    toValidationErrors(failure),
  ];
  for (const body of bodies) expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(64 * 1024);
});
