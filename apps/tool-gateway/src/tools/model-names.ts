/**
 * Puts the names of a model, as a caller sees it, into the input schemas of its tools: ids as `enum` while there are not too
 * many, each explained once in a schema. The owner of the data checks the names of a call.
 */
import { dateTypes, type ToolKnowledgeModel } from '@tessera/contracts/knowledge-models';
import { isObject, type JsonObject } from './tool.js';

/** More than a language model should read; ids are then found by a search. */
export const maxNamesInSchema = 200;
/** Characters of what explains the names of one list. */
const explanationLengthMax = 4_000;

type Change = (schema: JsonObject) => JsonObject;
type NamedText = { readonly id: string; readonly text: string };

export const withLoadDataNames = (schema: JsonObject, model: ToolKnowledgeModel): JsonObject => {
  const { columns } = columnsOf(model);
  return applyChanges(schema, [
    changeAt(['properties', 'columns'], namedItems(columns, [], true)),
    changeAt(['properties', 'columns', 'items'], orComputed),
    ...filterChanges(model),
  ]);
};

/** What is computed from a field has no name of its own: `avg(PO_ITEM.NET_AMOUNT)`, `PO_ITEM.ORDER_DATE:quarter`. */
const orComputed: Change = (items) =>
  items['enum'] === undefined
    ? items
    : {
        anyOf: [
          { title: 'Name', ...items },
          {
            title: 'Computed',
            type: 'string',
            pattern: '^(sum|avg|min|max|count)\\(.+\\)$|^.+:(day|week|month|quarter|year)$',
          },
        ],
      };

export const withGetInsightsNames = (schema: JsonObject, model: ToolKnowledgeModel): JsonObject => {
  const { fields, kpis } = columnsOf(model);
  return applyChanges(schema, [
    changeAt(['properties', 'kpi'], (kpi) => withExplanations(enumOf(kpis)(kpi), kpis)),
    changeAt(['properties', 'field_ids'], namedItems(fields, [], true)),
    ...filterChanges(model),
  ]);
};

const filterChanges = (model: ToolKnowledgeModel): readonly Change[] => {
  const { texts, numbers, days, booleans } = columnsOf(model);
  const filters = model.filters.map(({ id, name, description }) => ({ id, text: joinDescription(name, description) }));
  const list = (name: string, columns: readonly NamedText[]): Change =>
    changeAt(
      ['properties', 'applied_filters', 'properties', name],
      namedItems(columns, ['properties', 'column_id'], false),
    );
  return [
    list('string_filters', texts),
    list('numeric_filters', numbers),
    list('date_filters', days),
    list('boolean_filters', booleans),
    changeAt(['properties', 'filters'], namedItems(filters, [], true)),
  ];
};

const textTypes: readonly string[] = ['string'];
const numberTypes: readonly string[] = ['integer', 'float'];

const columnsOf = ({ records, kpis }: ToolKnowledgeModel) => {
  const fields = records.flatMap((record) => record.fields.map((field) => ({ ...field, text: nameWithUnit(field) })));
  const figures = kpis.map((kpi) => ({ ...kpi, text: joinDescription(nameWithUnit(kpi), kpi.description) }));
  const filterable = [...fields.filter((field) => field.filterable), ...figures];
  const ofTypes = (types: readonly string[]) => filterable.filter(({ type }) => types.includes(type));
  return {
    fields,
    kpis: figures,
    columns: [...figures, ...fields],
    texts: ofTypes(textTypes),
    numbers: ofTypes(numberTypes),
    days: ofTypes(dateTypes),
    booleans: ofTypes(['boolean']),
  };
};

const nameWithUnit = ({ name, unit }: { readonly name: string; readonly unit?: string | undefined }): string =>
  unit === undefined || unit === '' ? name : `${name} (${unit})`;

const joinDescription = (name: string, description: string): string =>
  description === '' || description === name ? name : `${name} - ${oneLine(description)}`;

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 157)}...` : line;
};

const applyChanges = (schema: JsonObject, changes: readonly Change[]): JsonObject =>
  Object.freeze(changes.reduce((whole, change) => change(whole), schema));

/** The change of a part. What is not there stays away. */
const changeAt =
  ([member, ...rest]: readonly string[], change: Change): Change =>
  (schema) => {
    if (member === undefined) return change(schema);
    const part = schema[member];
    return isObject(part) ? { ...schema, [member]: changeAt(rest, change)(part) } : schema;
  };

const enumOf =
  (names: readonly NamedText[]): Change =>
  (schema) => {
    if (names.length === 0 || names.length > maxNamesInSchema) return schema;
    const { minLength: _, maxLength: __, ...rest } = schema;
    return { ...rest, enum: names.map(({ id }) => id) };
  };

/** A list whose entries, or a member of theirs, are names; of nothing there is an empty list. */
const namedItems =
  (names: readonly NamedText[], member: readonly string[], isExplained: boolean): Change =>
  (schema) => {
    if (names.length === 0) return schema['minItems'] === undefined ? { ...schema, maxItems: 0 } : schema;
    const list = changeAt(['items', ...member], enumOf(names))(schema);
    return isExplained ? withExplanations(list, names) : list;
  };

const withExplanations = (schema: JsonObject, names: readonly NamedText[]): JsonObject => {
  const unclear = names.filter((name) => !isSelfExplanatory(name));
  const lines = [...linesOf(unclear)];
  const left = unclear.length - lines.length;
  const more = left > 0 ? [`and ${left} more.`] : [];
  const { description } = schema;
  const begin = typeof description === 'string' ? [description] : [];
  return lines.length === 0 ? schema : { ...schema, description: [...begin, ...lines, ...more].join('\n') };
};

/** Names that their ids say already need no words. */
const isSelfExplanatory = ({ id, text }: NamedText): boolean =>
  id
    .slice(id.lastIndexOf('.') + 1)
    .replaceAll('_', ' ')
    .toLowerCase() === text.toLowerCase();

function* linesOf(names: readonly NamedText[]): Generator<string> {
  let size = 0;
  for (const { id, text } of names) {
    const line = `${id}: ${text}`;
    size += line.length;
    if (size > explanationLengthMax) return;
    yield line;
  }
}
