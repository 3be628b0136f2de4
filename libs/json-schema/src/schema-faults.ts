/**
 * What is wrong with a value, one fault for each place: where, which keyword of the schema was broken, and what was
 * expected, with the nearest right name.
 */
import type { ErrorObject } from 'ajv';
import { maxFaults, maxNameSuggestions, findNearestName, type Fault } from '@tessera/failures';
import { parseJsonPointer } from './json-pointer.js';

const guessedLengthMax = 200;
/** So many names are listed when none is near. */
const listedMax = 12;
/** Signs like `<>` are misspellings of nothing. */
const hasLetter = /\p{L}/u;

export const toSchemaFaults = (errors: readonly ErrorObject[]): readonly Fault[] => {
  const faults = new Map<string, Fault>();
  const ofAnotherType = new Set(errors.filter(({ keyword }) => keyword === 'type').map((error) => error.instancePath));
  for (const error of errors) {
    if (error.keyword === 'enum' && ofAnotherType.has(error.instancePath)) continue;
    const fault = faultOf(error, faults.size < maxNameSuggestions);
    faults.set(`${fault.path} ${fault.rule} ${fault.message}`, fault);
    if (faults.size > maxFaults) break;
  }
  return [...faults.values()];
};

export const notAnObjectFault: Fault = { in: 'body', path: '', message: 'expected a JSON object', rule: 'type' };

/** Each unknown name costs a search for the nearest; `isGuessed`: whether there is one. */
const faultOf = (error: ErrorObject, isGuessed: boolean): Fault => {
  const path = parseJsonPointer(error.instancePath);
  const { keyword: rule, params } = error;
  switch (rule) {
    case 'required':
      return faultAt([...path, String(params['missingProperty'])], rule, 'is missing');
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
      return unknownName(
        [...path, name],
        rule,
        `unknown argument "${name}"`,
        isGuessed ? name : '',
        memberNames(error.parentSchema),
      );
    }
    case 'enum': {
      const known = listOf(params['allowedValues']).map(String);
      const { data } = error;
      return typeof data === 'string'
        ? unknownName(path, rule, `unknown name "${data.slice(0, 200)}"`, isGuessed ? data : '', known)
        : faultAt(path, rule, `expected one of ${known.slice(0, listedMax).join(', ')}`);
    }
    case 'type':
      return faultAt(path, rule, `expected ${String(params['type']).replaceAll(',', ' or ')}`);
    case 'minItems':
    case 'maxItems':
    case 'minLength':
    case 'maxLength':
      return faultAt(path, rule, sizeOf(rule, Number(params['limit'])));
    default:
      return faultAt(path, rule, (error.message ?? 'does not fit').replace(/^must /, 'expected to '));
  }
};

const sizeOf = (rule: string, limit: number): string => {
  const [one, many] = rule.endsWith('Items') ? ['entry', 'entries'] : ['character', 'characters'];
  return `expected at ${rule.startsWith('min') ? 'least' : 'most'} ${limit} ${limit === 1 ? one : many}`;
};

const faultAt = (path: readonly string[], rule: string, message: string, suggestion?: string): Fault => ({
  in: 'body',
  path: path.join('.'),
  message,
  rule,
  ...(suggestion !== undefined && { suggestion }),
});

const unknownName = (
  path: readonly string[],
  rule: string,
  message: string,
  name: string,
  known: readonly string[],
): Fault => {
  const isWord = name.length <= guessedLengthMax && hasLetter.test(name);
  const near = isWord ? findNearestName(name, known) : undefined;
  if (near !== undefined) return faultAt(path, rule, `${message}; did you mean "${near}"?`, near);
  const isListed = known.length > 0 && known.length <= listedMax;
  return faultAt(path, rule, isListed ? `${message}; expected one of ${known.join(', ')}` : message);
};

const memberNames = (schema: ErrorObject['parentSchema']): readonly string[] => {
  const members: unknown = schema?.['properties'];
  return typeof members === 'object' && members !== null ? Object.keys(members) : [];
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
