/** A question as an address of OData: of the record from which all that it names is one step away. */
import { namesIn, outsideQuotes } from './condition.js';
import { expressionsOf, pageSize } from './question-input.js';
import { grainOf, type Question } from './question.js';
import type { Schema } from './schema.js';
import type { ShareObstacle, ShareText } from './tool-call.js';

const refuse = (why: ShareObstacle): ShareText => ({ ok: false, why });

/** The path and query of the address, from the root of the origin. */
export const odataAddressOf = (modelId: string, question: Question, schema: Schema): ShareText => {
  const { fields, kpis, search } = question;
  if (fields.some((field) => grainOf(field) !== '')) return refuse('grain');
  if (search !== '') return refuse('search');
  const expressions = expressionsOf(question);
  if (expressions.some(isList)) return refuse('condition');
  const ofGroups = expressions.filter((text) => namesIn(text).some((name) => schema.kpiById.has(name)));
  const ofRows = expressions.filter((text) => !ofGroups.includes(text));
  const root = findRoot(question, schema, ofRows);
  if (root === undefined) return refuse('record');
  if (ofGroups.length > 0 && kpis.length === 0) return refuse('condition');
  const toName = (path: string): string => nameFrom(root, path);
  const conditionOf = (texts: readonly string[]): string =>
    texts.length === 1
      ? rename(texts[0] ?? '', toName)
      : texts.map((text) => `(${rename(text, toName)})`).join(' and ');
  const options =
    kpis.length > 0
      ? { $apply: groupsOption(question, conditionOf(ofRows), toName), $filter: conditionOf(ofGroups) }
      : { ...columnsOption(question, root, toName), $filter: conditionOf(ofRows) };
  return {
    ok: true,
    text: `/intelligence/api/odata/${encodeURIComponent(modelId)}.svc/${encodeURIComponent(root)}_entries?${queryOf([
      ...Object.entries(options),
      ...question.filters.map((id) => ['filterid', id] as const),
      ['$orderby', orderOf(question, toName)],
      ['$top', String(pageSize)],
      ['$skip', question.page === 0 ? '' : String(question.page * pageSize)],
    ])}`,
  };
};

const queryOf = (options: readonly (readonly [string, string])[]): string =>
  options
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

const groupsOption = ({ fields, kpis }: Question, condition: string, toName: (path: string) => string): string => {
  const aggregate = `aggregate(${kpis.join(',')})`;
  const groups = fields.length === 0 ? aggregate : `groupby((${fields.map(toName).join(',')}),${aggregate})`;
  return condition === '' ? groups : `filter(${condition})/${groups}`;
};

/** Own fields are selected, those of related records expanded. */
const columnsOption = ({ fields }: Question, root: string, toName: (path: string) => string) => {
  const own = fields.filter((path) => recordOf(path) === root).map(toName);
  const related = Map.groupBy(
    fields.filter((path) => recordOf(path) !== root),
    recordOf,
  );
  const expanded = [...related].map(
    ([record, paths]) => `${record}($select=${paths.map((path) => path.slice(record.length + 1)).join(',')})`,
  );
  return { $select: own.join(','), $expand: expanded.join(',') };
};

const orderOf = ({ sort }: Question, toName: (path: string) => string): string =>
  sort
    .split(',')
    .filter((item) => item !== '')
    .map((item) => `${toName(item.replace(/^[+-]/, ''))}${item.startsWith('-') ? ' desc' : ''}`)
    .join(',');

const recordOf = (path: string): string => path.replace(/\..*$/, '');

/** KPIs have no record before them. */
const nameFrom = (root: string, path: string): string => {
  if (!path.includes('.')) return path;
  return recordOf(path) === root ? path.slice(root.length + 1) : path.replace('.', '/');
};

const rename = (expression: string, toName: (path: string) => string): string =>
  outsideQuotes(expression, (piece) =>
    piece.replaceAll(/[\p{L}_][\p{L}\p{M}\p{N}_-]*\.[\p{L}\p{M}\p{N}_-]+/gu, (path) => toName(path)),
  );

/** Commas between conditions, which OData does not have. */
const isList = (expression: string): boolean => {
  let depth = 0;
  let found = false;
  outsideQuotes(expression, (piece) => {
    for (const character of piece) {
      if (character === '(') depth++;
      if (character === ')') depth--;
      found ||= character === ',' && depth === 0;
    }
    return piece;
  });
  return found;
};

/** From which every field is one step away: of what is shown, to one entry; of conditions, to any. */
const findRoot = ({ fields, kpis }: Question, schema: Schema, conditions: readonly string[]): string | undefined => {
  const shown = new Set(fields.map(recordOf));
  const named = new Set(
    conditions
      .flatMap(namesIn)
      .filter((name) => schema.fieldByPath.has(name))
      .map(recordOf),
  );
  const ofKpis = kpis.flatMap((kpi) => schema.kpiById.get(kpi)?.records ?? []);
  const candidates = new Set([...ofKpis, ...shown, ...schema.records.map(({ id }) => id)]);
  return [...candidates].find((root) => {
    const relationships = schema.recordById.get(root)?.relationships ?? [];
    const toOne = new Set(
      relationships.filter(({ cardinality }) => cardinality.endsWith('to-one')).map(({ record }) => record),
    );
    const near = new Set(relationships.map(({ record }) => record));
    const isThere = schema.recordById.has(root);
    return (
      isThere &&
      [...shown].every((record) => record === root || toOne.has(record)) &&
      [...named].every((record) => record === root || near.has(record))
    );
  });
};
