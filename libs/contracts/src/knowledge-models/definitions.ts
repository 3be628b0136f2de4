/**
 * A knowledge model as a workspace file states it. An entry with the id of one in the base model changes the members
 * that it names, so most members are optional here. libs/knowledge-model checks what is missing in the end, and rules
 * that span members (unknown names, formulas that do not parse).
 */
import { z } from 'zod';
import { definitionId, description, displayName, storableText } from '../definition-parts.js';
import { modelMemberId, postgresName, systemColumns, valueType } from './table-definition.js';

export { dateTypes, isDateType, valueTypes, type ValueType } from './table-definition.js';

const formula = storableText(4_000).min(1);
const filterText = storableText(4_000).min(1);
const columnName = postgresName.refine(
  (name) => !systemColumns.includes(name),
  "expected a column that is not PostgreSQL's own",
);
const format = storableText(100).min(1).describe("How a value is shown, e.g. ',.2f' or '%'.");
const unit = storableText(50).min(1);
const synonyms = z
  .array(storableText(200).min(1))
  .max(20)
  .optional()
  .describe(
    'What else people call it, in any language; searches find it by these too. They replace those of the base.',
  );

const itemMembers = {
  id: modelMemberId,
  name: displayName.optional().describe('The id when absent.'),
  description: description.optional(),
  synonyms,
  shortDisplayName: displayName.optional().describe('The name when absent.'),
  internalNote: description.optional(),
};

const fieldMembers = {
  ...itemMembers,
  format: format.optional(),
  unit: unit.optional(),
  exact: z
    .boolean()
    .optional()
    .describe('Whether answers hold its numbers as strings, so that no digit is lost on the way; false when absent.'),
  filterable: z.boolean().optional().describe('True when absent.'),
  sortable: z.boolean().optional().describe('True when absent.'),
};

export const FieldDefinition = z
  .strictObject({
    ...fieldMembers,
    column: columnName.optional(),
    type: valueType.optional().describe('`string` when absent.'),
    nullable: z
      .boolean()
      .optional()
      .describe('Whether rows may have no value; when absent, true except in the identifier.'),
  })
  .meta({ id: 'FieldDefinition' });

export const AugmentedFieldDefinition = z
  .strictObject({
    ...fieldMembers,
    type: valueType.optional().describe('What the expression gives when absent.'),
    expression: formula.optional().describe('A formula over the fields of the record.'),
  })
  .meta({ id: 'AugmentedFieldDefinition' });

export const FlagDefinition = z
  .strictObject({
    ...itemMembers,
    filterable: fieldMembers.filterable,
    sortable: fieldMembers.sortable,
    expression: formula.optional().describe('A formula over the fields of the record that is true or false.'),
  })
  .meta({ id: 'FlagDefinition' });

export const RecordDefinition = z
  .strictObject({
    ...itemMembers,
    table: postgresName.optional(),
    identifier: z
      .array(modelMemberId)
      .min(1)
      .max(16)
      .optional()
      .describe('The attributes that together are unique and never without a value.'),
    curated: z.boolean().optional().describe('Whether a specification of curated records has it; false when absent.'),
    attributes: z.array(FieldDefinition).max(1_000).optional(),
    augmentedAttributes: z.array(AugmentedFieldDefinition).max(500).optional(),
    flags: z.array(FlagDefinition).max(500).optional(),
  })
  .meta({ id: 'RecordDefinition' });

export const cardinalities = ['one-to-one', 'one-to-many', 'many-to-one', 'many-to-many'] as const;

export const RelationshipDefinition = z
  .strictObject({
    from: modelMemberId,
    to: modelMemberId,
    on: z
      .record(modelMemberId, modelMemberId)
      .refine((pairs) => Object.keys(pairs).length >= 1, 'expected at least one pair of attributes')
      .refine((pairs) => Object.keys(pairs).length <= 16, 'expected at most 16 pairs of attributes')
      .describe('Attribute of `from` -> attribute of `to`; several for a composite key.'),
    cardinality: z.enum(cardinalities).describe('Rows of `from` to rows of `to`.'),
  })
  .meta({ id: 'RelationshipDefinition' });

export const kpiDirections = ['Up', 'Down', 'None'] as const;

export const KpiParameterDefinition = z
  .strictObject({
    id: modelMemberId.describe('A formula reads it as `:id`.'),
    name: displayName.optional(),
    value: storableText(200),
    type: valueType.optional().describe('What the value looks like when absent.'),
  })
  .meta({ id: 'KpiParameterDefinition' });

export const KpiDefinition = z
  .strictObject({
    id: modelMemberId,
    name: displayName.optional(),
    description: description.optional(),
    synonyms,
    expression: formula.optional().describe('A formula of aggregates over `record.field`, or of other KPIs.'),
    unit: unit.optional(),
    format: format.optional(),
    direction: z.enum(kpiDirections).optional().describe('Where better is; `None` when absent.'),
    target: storableText(200).optional(),
    exact: fieldMembers.exact,
    parameters: z.array(KpiParameterDefinition).max(50).optional(),
  })
  .meta({ id: 'KpiDefinition' });

export const FilterDefinition = z
  .strictObject({
    id: modelMemberId,
    name: displayName.optional(),
    description: description.optional(),
    synonyms,
    expression: filterText.optional().describe("A filter, e.g. `PO_ITEM.SIZE eq 'large'`."),
  })
  .meta({ id: 'FilterDefinition' });

export const PolicyDefinition = z
  .strictObject({
    record: modelMemberId,
    rows: filterText
      .optional()
      .describe(
        'The filter that the visible rows match; it may read `caller`, and fields of records that the record leads to, each to one row, as `RECORD.FIELD`. `all`: everybody sees every row.',
      ),
    hide: z.array(modelMemberId).min(1).max(1_000).optional().describe('Fields that are not there for the caller.'),
    unless: z
      .strictObject({ scope: z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'expected a scope') })
      .optional()
      .describe('A caller with this scope is not restricted.'),
  })
  .refine(({ rows, hide }) => rows !== undefined || hide !== undefined, 'expected rows, hide or both')
  .meta({ id: 'PolicyDefinition' });

export const RollupDefinition = z
  .strictObject({
    id: modelMemberId,
    fields: z
      .array(storableText(200).min(1))
      .max(16)
      .optional()
      .describe('`RECORD.FIELD`, of dates also by their period as in `RECORD.FIELD:month`; no field of type float.'),
    kpis: z.array(modelMemberId).min(1).max(100).optional(),
  })
  .meta({
    id: 'RollupDefinition',
    description:
      'KPIs by these fields, computed after each load; questions that they suffice for are answered from them, and their answers are the same.',
  });

export const SourceDefinition = z
  .strictObject({
    schema: postgresName.describe("The schema that the team's tables name, or one of the external database."),
    database: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'expected the name of a configured database')
      .optional()
      .describe("An external PostgreSQL that the operator has configured; the team's tables when absent."),
  })
  .meta({ id: 'SourceDefinition' });

export const KnowledgeModelDefinition = z
  .strictObject({
    kind: z.literal('KnowledgeModel'),
    id: definitionId,
    name: displayName.optional(),
    description: description.optional(),
    extends: definitionId.nullable().optional().describe('The base model whose entries are inherited.'),
    source: SourceDefinition.optional().describe('That of the base model when absent.'),
    records: z.array(RecordDefinition).max(200).optional(),
    relationships: z.array(RelationshipDefinition).max(500).optional(),
    kpis: z.array(KpiDefinition).max(1_000).optional(),
    filters: z.array(FilterDefinition).max(500).optional(),
    policies: z.array(PolicyDefinition).max(500).optional(),
    rollups: z.array(RollupDefinition).max(50).optional(),
  })
  .meta({ id: 'KnowledgeModelDefinition' });

export type FieldDefinition = z.output<typeof FieldDefinition>;
export type AugmentedFieldDefinition = z.output<typeof AugmentedFieldDefinition>;
export type FlagDefinition = z.output<typeof FlagDefinition>;
export type RecordDefinition = z.output<typeof RecordDefinition>;
export type RelationshipDefinition = z.output<typeof RelationshipDefinition>;
export type Cardinality = (typeof cardinalities)[number];
export type KpiParameterDefinition = z.output<typeof KpiParameterDefinition>;
export type KpiDefinition = z.output<typeof KpiDefinition>;
export type KpiDirection = (typeof kpiDirections)[number];
export type FilterDefinition = z.output<typeof FilterDefinition>;
export type PolicyDefinition = z.output<typeof PolicyDefinition>;
export type RollupDefinition = z.output<typeof RollupDefinition>;
export type SourceDefinition = z.output<typeof SourceDefinition>;
export type KnowledgeModelDefinition = z.output<typeof KnowledgeModelDefinition>;
