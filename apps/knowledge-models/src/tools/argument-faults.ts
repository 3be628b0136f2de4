/**
 * What the arguments of a tool have wrong, each fault at its place inside of them, as one failure.
 * Refuses: to tell what is hidden from what there never was; names are looked up in what the caller sees.
 */
import { fail, type FailureCode, faultList, type FaultList, nearestName, type Result } from '@tessera/failures';

export type ArgumentPath = readonly (string | number)[];

export type ArgumentFaults = {
  readonly list: FaultList;
  /** A name that is none of `known`. */
  readonly unknown: (path: ArgumentPath, what: string, name: string, known: () => Iterable<string>) => void;
};

/** Each search for the nearest name looks at all of them. */
const suggestionsMax = 20;

export const argumentFaults = (): ArgumentFaults => {
  const list = faultList('body');
  return {
    list,
    unknown: (path, what, name, known) => {
      const suggestion =
        list.faults.length < suggestionsMax ? (fieldCalled(name, known()) ?? nearestName(name, known())) : undefined;
      list.add(path, 'enum', `there is no ${what} "${name}"`, suggestion);
    },
  };
};

/** Of a field its record is left out easily. */
const fieldCalled = (name: string, known: Iterable<string>): string | undefined => {
  const ending = `.${name.toLowerCase()}`;
  for (const id of known) if (id.toLowerCase().endsWith(ending)) return id;
  return undefined;
};

export const refuseArguments = ({ list }: ArgumentFaults): Result<never> => {
  const [first] = list.faults;
  const others = list.faults.length - 1;
  const more = others > 0 ? ` (and ${others} more)` : '';
  return fail('TOOL_ARGUMENTS_INVALID', `${first?.path}: ${first?.message}${more}.`, { faults: list.faults });
};

/** What the compiler of questions tells of parameters is told of arguments here. */
const ofArguments: ReadonlySet<FailureCode> = new Set([
  'KM_FIELD_NOTFOUND',
  'KM_KPI_NOTFOUND',
  'KM_FILTER_NOTFOUND',
  'KM_FILTER_TYPE',
  'KM_FILTER_SYNTAX',
  'SORT_UNKNOWN_FIELD',
  'GENERAL_PARAMETER_MISSING',
  'GENERAL_PARAMETER_MISSMATCH',
] as const);

export const withArgumentPaths = <Value>(result: Result<Value>): Result<Value> => {
  if (result.ok || !ofArguments.has(result.failure.code)) return result;
  const { failure } = result;
  const faults = (failure.faults ?? []).map((fault) => ({ ...fault, in: 'body' }));
  return { ok: false, failure: { ...failure, code: 'TOOL_ARGUMENTS_INVALID', faults } };
};
