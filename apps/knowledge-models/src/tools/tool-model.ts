/**
 * What a model has, as the caller of tools sees it, and a key by which others know whether it is still so. Made once for
 * each view.
 * Refuses: rows. Callers who see other rows of the same fields see the same model.
 */
import type { ToolModel } from '@tessera/contracts/knowledge-models';
import type { CallerView, KpiModel, RecordModel, ResultColumn } from '@tessera/knowledge-model';
import type { CallerModel } from '../catalog/caller-models.js';
import { digestText } from '../queries/digest-of.js';

export type DescribedModel = { readonly key: string; readonly model: ToolModel };

const described = new WeakMap<CallerView, DescribedModel>();

/** The key says nothing of what it is made of, and is of one team. */
export const describeModel = (team: string, { model, view }: Pick<CallerModel, 'model' | 'view'>): DescribedModel => {
  const known = described.get(view);
  if (known) return known;
  const key = digestText(JSON.stringify([team, model.digests, view.hiddenFields]));
  const made = Object.freeze({ key, model: toolModelOf(view) });
  described.set(view, made);
  return made;
};

const toolModelOf = (view: CallerView): ToolModel => {
  const { id, name, description, records, kpis, filters } = view.model;
  return {
    id,
    name,
    description,
    records: records.map((record) => toolRecord(view, record)),
    kpis: kpis.flatMap((kpi) => {
      const column = view.names.kpis.get(kpi.id)?.column;
      return column ? [toolKpi(kpi, column)] : [];
    }),
    filters: filters.map((filter) => ({ id: filter.id, name: filter.name, description: filter.description })),
  };
};

const toolRecord = ({ names }: CallerView, record: RecordModel): ToolModel['records'][number] => {
  const { id, name, description, identifier, fields } = record;
  const named = names.fields.get(id);
  return {
    id,
    name,
    description,
    identifier: identifier.map((field) => `${id}.${field}`),
    fields: fields.flatMap((field) => {
      const column = named?.get(field.id)?.ofModel.column;
      if (!column) return [];
      const { type, filterable, sortable } = column;
      const texts = { id: column.id, name: field.name, description: field.description };
      return [{ ...texts, type, ...shownOf(column), filterable, sortable }];
    }),
  };
};

const toolKpi = (kpi: KpiModel, column: ResultColumn): ToolModel['kpis'][number] => {
  const { id, name, description, direction, target } = kpi;
  const { type } = column;
  return { id, name, description, type, ...shownOf(column), direction, ...(target !== undefined && { target }) };
};

export const shownOf = ({ unit, format }: Pick<ResultColumn, 'unit' | 'format'>) => ({
  ...(unit !== undefined && { unit }),
  ...(format !== undefined && { format }),
});
