/** Where in a question the faults are that the server finds in it. */
import type { CallFault, Refusal } from '../../api/failures.js';
import type { Question } from './question.js';

/** Faults by the part of the question that they are in. */
export type PlacedFaults = {
  /** By the place of the condition. */
  readonly conditions: ReadonlyMap<number, readonly CallFault[]>;
  readonly period: readonly CallFault[];
  readonly search: readonly CallFault[];
};

/**
 * Answers of knowledge models have no list of faults; their words say the same: `filterExpr 2 of 3 (A = 1), character 3: Expected ...`,
 * further ones behind `query filterExpr.0:`.
 */
const toldFault =
  /filterExpr(?: (\d+) of \d+)? \([^]*?\), character (\d+): ([^]*?)(?= query filterExpr(?:\.\d+)?: filterExpr|$)/g;

export const faultsInWords = (detail: string): readonly CallFault[] =>
  [...detail.matchAll(toldFault)].map(([, number, character = '', message = '']) => ({
    in: 'query',
    path: number === undefined ? 'filterExpr' : `filterExpr.${Number(number) - 1}`,
    message,
    position: Number(character) - 1,
  }));

/** `filterExpr` is the only expression, `filterExpr.1` the second. */
const expressionAt = (path: string): number | undefined => {
  const [, number] = /^filterExpr(?:\.(\d+))?$/.exec(path) ?? [];
  return path.startsWith('filterExpr') ? Number(number ?? 0) : undefined;
};

export const placeFaults = ({ conditions: asked }: Question, refusal: Refusal | undefined): PlacedFaults => {
  const { faults: listed = [], detail = '' } = refusal ?? {};
  const faults = listed.length > 0 ? listed : faultsInWords(detail);
  const conditions = new Map<number, CallFault[]>();
  const period: CallFault[] = [];
  for (const fault of faults) {
    const at = expressionAt(fault.path);
    if (at === undefined) continue;
    if (at >= asked.length) period.push(fault);
    else conditions.set(at, [...(conditions.get(at) ?? []), fault]);
  }
  return { conditions, period, search: faults.filter(({ path }) => path.startsWith('search')) };
};
