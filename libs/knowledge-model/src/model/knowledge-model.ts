/**
 * A knowledge model with everything that has a standard filled in, in the order in which it was defined. A missing
 * member is an empty text; of two entries with the same id the first stays.
 */
import type {
  Cardinality,
  KnowledgeModelDefinition,
  KpiDefinition,
  KpiDirection,
  KpiParameterDefinition,
  PolicyDefinition,
  RecordDefinition,
  RollupDefinition,
  SourceDefinition,
  ValueType,
} from '@tessera/contracts/knowledge-models';

type Texts = { readonly id: string; readonly name: string; readonly description: string };
/** What else people call it. */
type NamedItem = Texts & { readonly synonyms: readonly string[] };
/** What people are shown of a record or a field, beside its description. */
type ShownItem = NamedItem & { readonly shortDisplayName: string; readonly internalNote: string };
type DisplayFormat = { readonly format?: string; readonly unit?: string };

/** Where the value of a field comes from. */
export type FieldOrigin =
  | { readonly kind: 'attribute'; readonly column: string; readonly type: ValueType; readonly nullable: boolean }
  | { readonly kind: 'augmentedAttribute'; readonly expression: string; readonly type?: ValueType }
  | { readonly kind: 'flag'; readonly expression: string };

export type FieldModel = ShownItem &
  DisplayFormat & {
    readonly exact: boolean;
    readonly filterable: boolean;
    readonly sortable: boolean;
    readonly origin: FieldOrigin;
  };

export type RecordModel = ShownItem & {
  readonly table: string;
  readonly identifier: readonly string[];
  readonly curated: boolean;
  /** Attributes, augmented attributes, flags. */
  readonly fields: readonly FieldModel[];
  readonly fieldById: ReadonlyMap<string, FieldModel>;
};

export type RelationshipModel = {
  readonly from: string;
  readonly to: string;
  readonly on: readonly { readonly from: string; readonly to: string }[];
  readonly cardinality: Cardinality;
};

export type KpiParameterModel = {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly type?: ValueType;
};

export type KpiModel = NamedItem &
  DisplayFormat & {
    readonly expression: string;
    readonly direction: KpiDirection;
    readonly target?: string;
    readonly exact: boolean;
    readonly parameters: readonly KpiParameterModel[];
  };

/** What `rows` of a policy says where every row is meant to be seen. */
export const allRows = 'all';
export const readsAllRows = (rows: string): boolean => rows.trim() === allRows;

export type FilterModel = NamedItem & { readonly expression: string };

/** KPIs by fields, each as a question names it. */
export type RollupModel = { readonly id: string; readonly fields: readonly string[]; readonly kpis: readonly string[] };

export type KnowledgeModel = Texts & {
  readonly extends?: string;
  readonly source: SourceDefinition;
  readonly records: readonly RecordModel[];
  readonly recordById: ReadonlyMap<string, RecordModel>;
  readonly relationships: readonly RelationshipModel[];
  readonly kpis: readonly KpiModel[];
  readonly kpiById: ReadonlyMap<string, KpiModel>;
  readonly filters: readonly FilterModel[];
  readonly policies: readonly PolicyDefinition[];
  readonly rollups: readonly RollupModel[];
};

/** Of a definition with its base models in it. */
export const normaliseModel = (definition: KnowledgeModelDefinition): KnowledgeModel => {
  const recordById = byId((definition.records ?? []).map(recordModel));
  const kpiById = byId((definition.kpis ?? []).map(kpiModel));
  const filters = (definition.filters ?? []).map((filter) => ({
    ...namedItem(filter),
    expression: filter.expression ?? '',
  }));
  return {
    ...textsOf(definition),
    ...(definition.extends && { extends: definition.extends }),
    source: definition.source ?? { schema: '' },
    records: [...recordById.values()],
    recordById,
    relationships: (definition.relationships ?? []).map(({ on, ...relationship }) => ({
      ...relationship,
      on: Object.entries(on).map(([from, to]) => ({ from, to })),
    })),
    kpis: [...kpiById.values()],
    kpiById,
    filters: [...byId(filters).values()],
    policies: definition.policies ?? [],
    rollups: [...byId((definition.rollups ?? []).map(rollupModel)).values()],
  };
};

const recordModel = (record: RecordDefinition): RecordModel => {
  const identifier = record.identifier ?? [];
  const fieldById = byId(fieldsOf(record, identifier));
  return {
    ...withShortName(record),
    table: record.table ?? '',
    identifier,
    curated: record.curated ?? false,
    fields: [...fieldById.values()],
    fieldById,
  };
};

const fieldsOf = (record: RecordDefinition, identifier: readonly string[]): readonly FieldModel[] => [
  ...(record.attributes ?? []).map(({ column = '', type = 'string', nullable, ...field }) => {
    const mayBeNull = nullable ?? !identifier.includes(field.id);
    return fieldModel(field, { kind: 'attribute', column, type, nullable: mayBeNull });
  }),
  ...(record.augmentedAttributes ?? []).map(({ expression = '', type, ...field }) =>
    fieldModel(field, { kind: 'augmentedAttribute', expression, ...(type && { type }) }),
  ),
  ...(record.flags ?? []).map(({ expression = '', ...field }) => fieldModel(field, { kind: 'flag', expression })),
];

type FieldTexts = ShownEntry & { readonly [Member in keyof DisplayFormat]?: string | undefined } & {
  readonly exact?: boolean | undefined;
  readonly filterable?: boolean | undefined;
  readonly sortable?: boolean | undefined;
};

const fieldModel = (field: FieldTexts, origin: FieldOrigin): FieldModel => ({
  ...withShortName(field),
  ...displayFormat(field),
  exact: field.exact ?? false,
  filterable: field.filterable ?? true,
  sortable: field.sortable ?? true,
  origin,
});

const kpiModel = (kpi: KpiDefinition): KpiModel => ({
  ...namedItem(kpi),
  ...displayFormat(kpi),
  expression: kpi.expression ?? '',
  direction: kpi.direction ?? 'None',
  ...(kpi.target !== undefined && { target: kpi.target }),
  exact: kpi.exact ?? false,
  parameters: [...byId((kpi.parameters ?? []).map(parameterModel)).values()],
});

const parameterModel = ({ id, name, value, type }: KpiParameterDefinition): KpiParameterModel => ({
  id,
  name: name ?? id,
  value,
  ...(type && { type }),
});

const rollupModel = ({ id, fields = [], kpis = [] }: RollupDefinition): RollupModel => ({ id, fields, kpis });

type Entry = {
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
};

const textsOf = ({ id, name, description }: Entry): Texts => ({ id, name: name ?? id, description: description ?? '' });

type NamedEntry = Entry & { readonly synonyms?: readonly string[] | undefined };

const namedItem = (entry: NamedEntry): NamedItem => ({ ...textsOf(entry), synonyms: entry.synonyms ?? [] });

type ShownEntry = NamedEntry & {
  readonly shortDisplayName?: string | undefined;
  readonly internalNote?: string | undefined;
};

const withShortName = (entry: ShownEntry): ShownItem => ({
  ...namedItem(entry),
  shortDisplayName: entry.shortDisplayName ?? entry.name ?? entry.id,
  internalNote: entry.internalNote ?? '',
});

const displayFormat = ({ format, unit }: FieldTexts): DisplayFormat => ({
  ...(format !== undefined && { format }),
  ...(unit !== undefined && { unit }),
});

const byId = <Item extends { readonly id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> => {
  const found = new Map<string, Item>();
  for (const item of items) if (!found.has(item.id)) found.set(item.id, item);
  return found;
};
