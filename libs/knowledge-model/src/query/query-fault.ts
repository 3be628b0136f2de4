/**
 * Faults of a query as one failure, and the sentences about unknown names. Never pass the whole model for a caller: names
 * that the given model does not have are never told.
 */
import { fail, type FailureCode, type Fault, nearestName, type Result, succeed } from '@tessera/failures';
import { withSuggestion } from '@tessera/filter';
import type { KnowledgeModel, RecordModel } from '../model/knowledge-model.js';

export type QueryFault = Omit<Fault, 'in'> & { readonly code: FailureCode };

/** More would not be read, and each costs a search for the nearest name. */
export const faultsMax = 5;

export const refuse = (first: QueryFault, ...others: readonly QueryFault[]): Result<never> =>
  fail(first.code, first.message, {
    faults: [first, ...others].map(({ code: _code, ...fault }) => ({ ...fault, in: 'query' })),
  });

export const succeedUnless = <Value>(faults: readonly QueryFault[], value: Value): Result<Value> => {
  const [first, ...others] = faults;
  return first ? refuse(first, ...others) : succeed(value);
};

export type UnknownName = { readonly message: string; readonly suggestion?: string };

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
export const expectedOneOf = (names: readonly string[]): string =>
  names.length > 0 && names.length <= listedMax ? `; expected one of ${names.join(', ')}` : '';

const unknown = (message: string, suggestion: string | undefined): UnknownName => ({
  message: withSuggestion(`${message}.`, suggestion),
  ...(suggestion !== undefined && { suggestion }),
});

/** Without a suggestion the names that there are, when they are few. */
const missing = (message: string, name: string, names: readonly string[]): UnknownName => {
  const suggestion = nearestName(name, names);
  return unknown(suggestion === undefined ? `${message}${expectedOneOf(names)}` : message, suggestion);
};

export const unknownRecord = (model: KnowledgeModel, name: string): UnknownName =>
  missing(`There is no record ${shortenName(name)} in ${model.id}`, name, idsOf(model.records));

export const unknownFilter = (model: KnowledgeModel, name: string): UnknownName =>
  /[\s('"]/.test(name)
    ? unknown(`${shortenName(name)} is an expression, which filterExpr takes; filters takes ids of filters`, undefined)
    : missing(`There is no filter ${shortenName(name)}`, name, idsOf(model.filters));

export const unknownKpi = (model: KnowledgeModel, name: string): UnknownName => {
  const kpis = idsOf(model.kpis);
  const near = nearestName(name, kpis);
  const owners = qualifiedNamesOf(model, name.slice(name.indexOf('.') + 1));
  if (owners.includes(name)) return unknown(`${name} is a field; ask for it in fields`, undefined);
  if (near === undefined && owners.length > 0 && !name.includes('.'))
    return unknown(`${name} is a field; ask for it in fields as ${listOf(owners)}`, undefined);
  return missing(`There is no KPI ${shortenName(name)}`, name, kpis);
};

/** Asked for at the level of the model. */
export const unknownField = (model: KnowledgeModel, name: string): UnknownName => {
  if (model.kpiById.has(name)) return unknown(`${name} is a KPI; ask for it in kpis`, undefined);
  return name.includes('.') ? unknownDotted(model, name) : unknownBare(model, name, 'field', []);
};

/** Asked for at the level of the record. */
export const unknownFieldOf = (model: KnowledgeModel, record: RecordModel, name: string): UnknownName => {
  if (model.kpiById.has(name))
    return unknown(`${name} is a KPI; KPIs are asked for at the level of the model`, undefined);
  const [owner, field] = splitName(name);
  if (owner === record.id && record.fieldById.has(field))
    return unknown('At the level of a record fields are written by their ids alone', field);
  if (owner !== undefined && model.recordById.get(owner)?.fieldById.has(field))
    return unknown(`${name} is a field of another record; ask for it at the level of the model`, undefined);
  const own = idsOf(record.fields);
  const meant = owner === record.id ? field : name;
  const owners = nearestName(meant, own) === undefined ? qualifiedNamesOf(model, name) : [];
  if (owners.length === 0) return missing(`There is no field ${shortenName(meant)} in ${record.id}`, meant, own);
  const others = `${listOf(owners)} can be asked for at the level of the model`;
  return unknown(`There is no field ${name} in ${record.id}; ${others}`, undefined);
};

/** In a filter: of a question at the level of the record, or of the model. */
export const unknownInFilter = (model: KnowledgeModel, record: RecordModel | undefined, name: string): UnknownName => {
  if (name.includes('.')) return unknownDotted(model, name);
  if (!record) return unknownBare(model, name, 'field or KPI', idsOf(model.kpis));
  const own = idsOf(record.fields);
  const near = nearestName(name, own);
  const owners = near === undefined ? qualifiedNamesOf(model, name) : [];
  if (owners.length === 0) return missing(`There is no field ${shortenName(name)} in ${record.id}`, name, own);
  return unknown(
    `There is no field ${name} in ${record.id}; of another record it is written ${listOf(owners)}`,
    undefined,
  );
};

/** In the condition that the visible rows of a record match. */
export const unknownInPolicy = (model: KnowledgeModel, record: RecordModel, name: string): UnknownName => {
  const rule = `policies choose rows of ${record.id} by fields of ${record.id}`;
  if (model.kpiById.has(name)) return unknown(`${name} is a KPI; ${rule}`, undefined);
  const [owner, field] = splitName(name);
  if (owner !== undefined && owner !== record.id && model.recordById.has(owner))
    return unknown(`${shortenName(name)} is of another record; ${rule}`, undefined);
  if (owner !== undefined && owner !== record.id) return unknownDotted(model, name);
  return missing(`There is no field ${shortenName(field)} in ${record.id}`, field, idsOf(record.fields));
};

/** `RECORD.FIELD`, of which one or both are wrong. */
const unknownDotted = (model: KnowledgeModel, name: string): UnknownName => {
  const [owner = '', field] = splitName(name);
  const record = model.recordById.get(owner);
  const others = qualifiedNamesOf(model, field);
  if (model.kpiById.has(field) && others.length === 0)
    return unknown(`${field} is a KPI, which is written without a record`, field);
  if (!record) {
    const near = model.recordById.get(nearestName(owner, idsOf(model.records)) ?? '');
    const suggestion = near ? nearestIn(near, field) : others.length === 1 ? others[0] : undefined;
    const listed = suggestion === undefined ? expectedOneOf(idsOf(model.records)) : '';
    return unknown(`There is no record ${shortenName(owner)}${listed}`, suggestion);
  }
  const suggestion = nearestIn(record, field);
  const message = `There is no field ${shortenName(field)} in ${record.id}`;
  if (suggestion !== undefined) return unknown(message, suggestion);
  return others.length > 0
    ? unknown(`${message}; there is ${listOf(others)}`, undefined)
    : unknown(`${message}${expectedOneOf(idsOf(record.fields))}`, undefined);
};

/** A name without a record at the level of the model; `others`: what may stand there without one. */
const unknownBare = (model: KnowledgeModel, name: string, what: string, others: readonly string[]): UnknownName => {
  const written = 'a field is written with its record';
  const owners = qualifiedNamesOf(model, name);
  if (owners.length === 1) return unknown(`At the level of the model ${written}`, owners[0]);
  if (owners.length > 1) return unknown(`At the level of the model ${written}: ${listOf(owners)}`, undefined);
  if (model.recordById.has(name))
    return unknown(`${name} is a record; its fields are written ${name}.FIELD`, undefined);
  const near = nearestName(name, others);
  if (near !== undefined) return unknown(`There is no ${what} ${shortenName(name)}`, near);
  const [field] = qualifiedNamesOf(model, nearestName(name, idsOfFields(model)) ?? '');
  if (field !== undefined) return unknown(`There is no ${what} ${shortenName(name)}`, field);
  const message = `There is no ${what} ${shortenName(name)}; ${written}, as RECORD.FIELD`;
  return unknown(message, nearestName(name, wholeNames(model)));
};

const nearestIn = (record: RecordModel, field: string): string | undefined => {
  const found = nearestName(field, idsOf(record.fields));
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
