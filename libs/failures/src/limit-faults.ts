/**
 * How much a failure tells: a request may have as many faults as it has bytes, with names as long as itself. What is left
 * fits into an answer of less than 64 KB, whose bodies may say every fault twice.
 */
import type { Fault } from './result.js';

/** Faults that a failure tells. Who looks for faults stops at one more. */
export const maxFaults = 100;
const faultsBytesMax = 20 * 1024;
const messageLengthMax = 600;
const pathLengthMax = 300;
const detailLengthMax = 2_000;

type LimitedFailure = { readonly detail: string; readonly faults?: readonly Fault[]; readonly hasMoreFaults?: true };

/** The first faults, as many as may be told, and a detail that says whether there are more. */
export const limitFaults = ({ detail, faults }: Pick<LimitedFailure, 'detail' | 'faults'>): LimitedFailure => {
  const short = truncate(detail, detailLengthMax);
  if (!faults) return { detail: short };
  const told: Fault[] = [];
  let bytes = 0;
  for (const fault of faults) {
    const shortened = shortenFault(fault);
    bytes += Buffer.byteLength(JSON.stringify(shortened));
    if (told.length === maxFaults || bytes > faultsBytesMax) break;
    told.push(shortened);
  }
  if (told.length === faults.length) return { detail: short, faults: told };
  const more = `The request has ${describeFaultCount(faults)}; the first ${told.length} are listed.`;
  return { detail: short === '' ? more : `${short} ${more}`, faults: told, hasMoreFaults: true };
};

/** `1 fault`, `7 faults` or `more than 100 faults`: of what was found before the search ended. */
export const describeFaultCount = ({ length }: readonly unknown[]): string => {
  if (length === 1) return '1 fault';
  return length > maxFaults ? `more than ${maxFaults} faults` : `${length} faults`;
};

const shortenFault = (fault: Fault): Fault => {
  const { path, message, suggestion, values = [] } = fault;
  const isShort =
    path.length <= pathLengthMax &&
    message.length <= messageLengthMax &&
    [suggestion ?? '', ...values].every((text) => text.length <= pathLengthMax);
  if (isShort) return fault;
  return {
    ...fault,
    path: truncate(path, pathLengthMax),
    message: truncate(message, messageLengthMax),
    ...(suggestion !== undefined && { suggestion: truncate(suggestion, pathLengthMax) }),
    ...(fault.values && { values: values.map((text) => truncate(text, pathLengthMax)) }),
  };
};

/** The text up to so many characters, with a sign where it was cut; never half of a surrogate pair. */
const truncate = (text: string, lengthMax: number): string =>
  text.length > lengthMax ? `${text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '')}…` : text;
