/**
 * What a model has, as the caller of tools sees it, and a key by which others know whether it is still so. Made once for
 * all who see the same of a model.
 */
import type { ToolKnowledgeModel } from '@tessera/contracts/knowledge-models';
import {
  createToOneLookup,
  type CallerView,
  type FilterModel,
  type KpiModel,
  type RecordModel,
  type ResultColumn,
} from '@tessera/knowledge-model';
import type { CallerModel } from '../catalog/caller-models.js';
import { digestText } from '../cache/result-cache.js';

type DescribedModel = { readonly key: string; readonly model: ToolKnowledgeModel };

const describedModelByNames = new WeakMap<CallerView['names'], DescribedModel>();

/** The key says nothing of what it is made of, and is of one team. */
export const describeModel = (team: string, { model, view }: Pick<CallerModel, 'model' | 'view'>): DescribedModel => {
  const known = describedModelByNames.get(view.names);
  if (known) return known;
  const key = digestText(JSON.stringify([team, model.digests, view.hiddenFields]));
  const made = Object.freeze({ key, model: buildToolModel(view) });
  describedModelByNames.set(view.names, made);
  return made;
};

const buildToolModel = (view: CallerView): ToolKnowledgeModel => {
  const { id, name, description, records, kpis, filters } = view.model;
  const toOne = createToOneLookup(view.model);
  return {
    id,
    name,
    description,
    records: records.map((record) => toolRecord(view, record, toOne)),
    kpis: kpis.flatMap((kpi) => {
      const column = view.names.kpis.get(kpi.id)?.column;
      return column ? [toolKpi(view, kpi, column)] : [];
    }),
    filters: filters.map(textsOf),
  };
};

const toolRecord = (
  { names, model }: CallerView,
  record: RecordModel,
  toOne: ReturnType<typeof createToOneLookup>,
): ToolKnowledgeModel['records'][number] => {
  const { id, identifier, fields } = record;
  const named = names.fields.get(id);
  const reached = toOne(id);
  const leadsTo = model.records.flatMap((other) => (other.id !== id && reached.has(other.id) ? [other.id] : []));
  return {
    ...textsOf(record),
    identifier: identifier.map((field) => `${id}.${field}`),
    ...(leadsTo.length > 0 && { leadsTo }),
    fields: fields.flatMap((field) => {
      const column = named?.get(field.id)?.ofModel.column;
      if (!column) return [];
      const { type, filterable, sortable } = column;
      return [{ ...textsOf(field), id: column.id, type, ...unitAndFormatOf(column), filterable, sortable }];
    }),
  };
};

const toolKpi = ({ formulas }: CallerView, kpi: KpiModel, column: ResultColumn): ToolKnowledgeModel['kpis'][number] => {
  const { direction, target } = kpi;
  const records = [...(formulas.kpis.get(kpi.id)?.records ?? [])];
  const shown = { type: column.type, ...unitAndFormatOf(column), direction };
  return { ...textsOf(kpi), ...shown, ...(target !== undefined && { target }), records };
};

const textsOf = ({ id, name, description, synonyms }: Omit<FilterModel, 'expression'>) => ({
  id,
  name,
  description,
  ...(synonyms.length > 0 && { synonyms: [...synonyms] }),
});

export const unitAndFormatOf = ({ unit, format }: Pick<ResultColumn, 'unit' | 'format'>) => ({
  ...(unit !== undefined && { unit }),
  ...(format !== undefined && { format }),
});
