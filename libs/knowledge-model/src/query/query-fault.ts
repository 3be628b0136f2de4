/**
 * Faults of a query as one failure, and the sentences about unknown names. Never pass the whole model for a caller: names
 * that the given model does not have are never told.
 */
import { dateGrains } from '@tessera/contracts/knowledge-models';
import {
  editDistance,
  fail,
  type FailureCode,
  type Fault,
  findNearestName,
  type Result,
  succeed,
} from '@tessera/failures';
import { withSuggestion } from '@tessera/filter';
import type { KnowledgeModel, RecordModel } from '../model/knowledge-model.js';

export type QueryFault = Omit<Fault, 'in'> & { readonly code: FailureCode };

/** More would not be read, and each costs a search for the nearest name. */
export const maxQueryFaults = 5;

export const refuseQuery = (first: QueryFault, ...others: readonly QueryFault[]): Result<never> =>
  fail(first.code, first.message, {
    faults: [first, ...others].map(({ code: _code, ...fault }) => ({ ...fault, in: 'query' })),
  });

export const succeedUnlessFaults = <Value>(faults: readonly QueryFault[], value: Value): Result<Value> => {
  const [first, ...others] = faults;
  return first ? refuseQuery(first, ...others) : succeed(value);
};

export type UnknownNameMessage = { readonly message: string; readonly suggestion?: string };

/** So many names are compared with a wrong one, and so many are listed when none is near. */
const comparedMax = 2_000;
const listedMax = 12;
const ownersMax = 3;
const shownMax = 100;

/** Whatever was written, in a length that can be shown. */
export const shortenName = (name: string): string => {
  if (name === '') return '""';
  return name.length > shownMax ? `${name.slice(0, shownMax)}...`.toWellFormed() : name;
};

/** `expected one of A, B.`, when they are few. */
export const printExpectedNames = (names: readonly string[]): string =>
  names.length > 0 && names.length <= listedMax ? `; expected one of ${names.join(', ')}` : '';

const unknownWithSuggestion = (message: string, suggestion: string | undefined): UnknownNameMessage => ({
  message: withSuggestion(`${message}.`, suggestion),
  ...(suggestion !== undefined && { suggestion }),
});

/** Without a suggestion the names that there are, when they are few. */
const missingName = (message: string, name: string, names: readonly string[]): UnknownNameMessage => {
  const suggestion = findNearestName(name, names);
  return unknownWithSuggestion(
    suggestion === undefined ? `${message}${printExpectedNames(names)}` : message,
    suggestion,
  );
};

export const describeUnknownRecord = (model: KnowledgeModel, name: string): UnknownNameMessage =>
  missingName(`There is no record ${shortenName(name)} in ${model.id}`, name, idsOf(model.records));

export const describeUnknownFilter = (model: KnowledgeModel, name: string): UnknownNameMessage =>
  /[\s('"]/.test(name)
    ? unknownWithSuggestion(
        `${shortenName(name)} is an expression, which filterExpr takes; filters takes ids of filters`,
        undefined,
      )
    : missingName(`There is no filter ${shortenName(name)}`, name, idsOf(model.filters));

export const describeUnknownKpi = (model: KnowledgeModel, name: string): UnknownNameMessage => {
  const kpis = idsOf(model.kpis);
  const near = findNearestName(name, kpis);
  const owners = qualifiedNamesOf(model, name.slice(name.indexOf('.') + 1));
  if (owners.includes(name)) return unknownWithSuggestion(`${name} is a field; ask for it in fields`, undefined);
  if (near === undefined && owners.length > 0 && !name.includes('.'))
    return unknownWithSuggestion(`${name} is a field; ask for it in fields as ${listOf(owners)}`, undefined);
  return missingName(`There is no KPI ${shortenName(name)}`, name, kpis);
};

/** Asked for at the level of the model. */
export const describeUnknownModelField = (model: KnowledgeModel, name: string): UnknownNameMessage => {
  if (model.kpiById.has(name)) return unknownWithSuggestion(`${name} is a KPI; ask for it in kpis`, undefined);
  return name.includes('.') ? unknownDotted(model, name) : unknownBare(model, name, 'field', []);
};

/** Asked for at the level of the record. */
export const describeUnknownRecordField = (
  model: KnowledgeModel,
  record: RecordModel,
  name: string,
): UnknownNameMessage => {
  if (model.kpiById.has(name))
    return unknownWithSuggestion(`${name} is a KPI; KPIs are asked for at the level of the model`, undefined);
  const [owner, field] = splitName(name);
  if (owner === record.id && record.fieldById.has(field))
    return unknownWithSuggestion('At the level of a record fields are written by their ids alone', field);
  if (owner !== undefined && model.recordById.get(owner)?.fieldById.has(field))
    return unknownWithSuggestion(
      `${name} is a field of another record; ask for it at the level of the model`,
      undefined,
    );
  const own = idsOf(record.fields);
  const meant = owner === record.id ? field : name;
  const owners = findNearestName(meant, own) === undefined ? qualifiedNamesOf(model, name) : [];
  if (owners.length === 0) return missingName(`There is no field ${shortenName(meant)} in ${record.id}`, meant, own);
  const others = `${listOf(owners)} can be asked for at the level of the model`;
  return unknownWithSuggestion(`There is no field ${name} in ${record.id}; ${others}`, undefined);
};

/** Behind the id of a field of dates. */
export const unknownGrain = (field: string, grain: string): UnknownNameMessage => {
  const near = findNearestName(grain, dateGrains);
  const expected = near === undefined ? printExpectedNames(dateGrains) : '';
  const suggestion = near === undefined ? undefined : `${field}:${near}`;
  return unknownWithSuggestion(`There is no grain ${shortenName(grain)} of ${field}${expected}`, suggestion);
};

/** In a filter: of a question at the level of the record, or of the model. */
export const describeUnknownNameInFilter = (
  model: KnowledgeModel,
  record: RecordModel | undefined,
  name: string,
): UnknownNameMessage => {
  if (name.includes('.')) return unknownDotted(model, name);
  if (!record) return unknownBare(model, name, 'field or KPI', idsOf(model.kpis));
  const own = idsOf(record.fields);
  const near = findNearestName(name, own);
  const owners = near === undefined ? qualifiedNamesOf(model, name) : [];
  if (owners.length === 0) return missingName(`There is no field ${shortenName(name)} in ${record.id}`, name, own);
  return unknownWithSuggestion(
    `There is no field ${name} in ${record.id}; of another record it is written ${listOf(owners)}`,
    undefined,
  );
};

/** In the condition that the visible rows of a record match. */
export const describeUnknownNameInPolicy = (
  model: KnowledgeModel,
  record: RecordModel,
  name: string,
  reached: ReadonlySet<string>,
): UnknownNameMessage => {
  const rule = `policies choose rows of ${record.id} by its fields and by those of records that it leads to along many-to-one relationships`;
  if (model.kpiById.has(name)) return unknownWithSuggestion(`${name} is a KPI; ${rule}`, undefined);
  const [owner, field] = splitName(name);
  if (owner !== undefined && model.recordById.get(owner)?.fieldById.has(field) && !reached.has(owner))
    return unknownWithSuggestion(
      `${shortenName(name)} is of ${owner}, to which no many-to-one path leads from ${record.id}; ${rule}`,
      undefined,
    );
  if (owner !== undefined && owner !== record.id) return unknownDotted(model, name);
  const near = findNearestName(field, idsOf(record.fields));
  const others = near === undefined ? [...reached].filter((id) => model.recordById.get(id)?.fieldById.has(field)) : [];
  if (others.length > 0)
    return unknownWithSuggestion(
      `There is no field ${field} in ${record.id}; of another record it is written ${listOf(others.map((id) => `${id}.${field}`))}`,
      undefined,
    );
  return missingName(`There is no field ${shortenName(field)} in ${record.id}`, field, idsOf(record.fields));
};

const nameInWord = /^([\p{L}\p{N}]+)[._:/-]([\p{L}_][\p{L}\p{M}\p{N}_-]*)$/u;

const isNearlyCaller = (owner: string): boolean => editDistance(owner.toLowerCase(), 'caller', 2) < 2;

/** As an attribute of the caller is written, when the word is nearly one. */
const callerAttributeFor = (word: string): string | undefined => {
  const [, owner = '', attribute] = nameInWord.exec(word) ?? [];
  return attribute !== undefined && isNearlyCaller(owner) ? `caller.${attribute}` : undefined;
};

const unknownWord = (word: string, suggestion: string | undefined): UnknownNameMessage => {
  const shown = shortenName(word);
  return unknownWithSuggestion(`${shown} is no name that is known here; write '${shown}' for the text`, suggestion);
};

/**
 * A text without quotes in a filter or policy of a model that was surely meant as a name; undefined of others. As a text
 * `COMPANY ne calle.blocked` would let every row through.
 */
export const describeWordInDefinition = (
  model: KnowledgeModel,
  word: string,
  isPolicy: boolean,
): UnknownNameMessage | undefined => {
  const attribute = isPolicy ? callerAttributeFor(word) : undefined;
  const isOfCaller = isPolicy && (attribute !== undefined || /^caller/i.test(word));
  if (!word.includes('.') && !isOfCaller) return undefined;
  return unknownWord(word, attribute ?? findNearestName(word, wholeNames(model)));
};

/** The same in a question, where texts with a dot go on being texts unless they are nearly a name that the caller sees. */
export const describeWordInQuestion = (model: KnowledgeModel, written: string): UnknownNameMessage | undefined => {
  const word = written.replaceAll('/', '.');
  const [owner, field] = splitName(word);
  if (owner === undefined) return undefined;
  if (isNearlyCaller(owner)) return unknownWord(written, undefined);
  const record = model.recordById.get(owner);
  const meant = record ? nearestIn(record, field) : findNearestName(word, qualifiedNamesOf(model, field));
  return meant === undefined ? undefined : unknownWord(written, meant);
};

/** `RECORD.FIELD`, of which one or both are wrong. */
const unknownDotted = (model: KnowledgeModel, name: string): UnknownNameMessage => {
  const [owner = '', field] = splitName(name);
  const record = model.recordById.get(owner);
  const others = qualifiedNamesOf(model, field);
  if (model.kpiById.has(field) && others.length === 0)
    return unknownWithSuggestion(`${field} is a KPI, which is written without a record`, field);
  if (!record) {
    const near = model.recordById.get(findNearestName(owner, idsOf(model.records)) ?? '');
    const suggestion = near ? nearestIn(near, field) : others.length === 1 ? others[0] : undefined;
    const listed = suggestion === undefined ? printExpectedNames(idsOf(model.records)) : '';
    return unknownWithSuggestion(`There is no record ${shortenName(owner)}${listed}`, suggestion);
  }
  const suggestion = nearestIn(record, field);
  const message = `There is no field ${shortenName(field)} in ${record.id}`;
  if (suggestion !== undefined) return unknownWithSuggestion(message, suggestion);
  return others.length > 0
    ? unknownWithSuggestion(`${message}; there is ${listOf(others)}`, undefined)
    : unknownWithSuggestion(`${message}${printExpectedNames(idsOf(record.fields))}`, undefined);
};

/** A name without a record at the level of the model; `others`: what may stand there without one. */
const unknownBare = (
  model: KnowledgeModel,
  name: string,
  what: string,
  others: readonly string[],
): UnknownNameMessage => {
  const written = 'a field is written with its record';
  const owners = qualifiedNamesOf(model, name);
  if (owners.length === 1) return unknownWithSuggestion(`At the level of the model ${written}`, owners[0]);
  if (owners.length > 1)
    return unknownWithSuggestion(`At the level of the model ${written}: ${listOf(owners)}`, undefined);
  if (model.recordById.has(name))
    return unknownWithSuggestion(`${name} is a record; its fields are written ${name}.FIELD`, undefined);
  const near = findNearestName(name, others);
  if (near !== undefined) return unknownWithSuggestion(`There is no ${what} ${shortenName(name)}`, near);
  const [field] = qualifiedNamesOf(model, findNearestName(name, idsOfFields(model)) ?? '');
  if (field !== undefined) return unknownWithSuggestion(`There is no ${what} ${shortenName(name)}`, field);
  const message = `There is no ${what} ${shortenName(name)}; ${written}, as RECORD.FIELD`;
  return unknownWithSuggestion(message, findNearestName(name, wholeNames(model)));
};

const nearestIn = (record: RecordModel, field: string): string | undefined => {
  const found = findNearestName(field, idsOf(record.fields));
  return found === undefined ? undefined : `${record.id}.${found}`;
};

const splitName = (name: string): readonly [string | undefined, string] => {
  const dot = name.indexOf('.');
  return dot < 0 ? [undefined, name] : [name.slice(0, dot), name.slice(dot + 1)];
};

/** The fields of that id, whatever record they are of, as `RECORD.FIELD`. */
const qualifiedNamesOf = ({ records }: KnowledgeModel, id: string): readonly string[] =>
  records.filter(({ fieldById }) => fieldById.has(id)).map((record) => `${record.id}.${id}`);

const listOf = (names: readonly string[]): string =>
  names.length > ownersMax ? `${names.slice(0, ownersMax).join(', ')} or others` : names.join(' or ');

const idsOf = (entries: readonly { readonly id: string }[]): readonly string[] => entries.map(({ id }) => id);

const idsOfFields = ({ records }: KnowledgeModel): readonly string[] =>
  [...new Set(records.flatMap(({ fields }) => idsOf(fields)))].slice(0, comparedMax);

const wholeNames = ({ records }: KnowledgeModel): readonly string[] =>
  records.flatMap((record) => record.fields.map(({ id }) => `${record.id}.${id}`)).slice(0, comparedMax);
