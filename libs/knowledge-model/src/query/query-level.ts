/** Whose rows a question asks for: those of one record, or those of the whole model. Refuses: records that are not there. */
import { type Result, succeed } from '@tessera/failures';
import type { RecordModel } from '../model/knowledge-model.js';
import type { CallerView } from './caller-view.js';
import { refuse } from './query-fault.js';
import { unknownRecord } from './unknown-name.js';

/** `record`: as the caller sees it; at the level of the model when absent. */
export type QueryLevel = { readonly view: CallerView; readonly record?: RecordModel };

export const resolveLevel = (view: CallerView, id: string | undefined): Result<QueryLevel> => {
  if (id === undefined) return succeed({ view });
  const record = findRecord(view, id);
  return record.ok ? succeed({ view, record: record.value }) : record;
};

export const findRecord = ({ model }: CallerView, id: string): Result<RecordModel> => {
  const record = model.recordById.get(id);
  if (record) return succeed(record);
  return refuse({ code: 'KM_RECORD_NOTFOUND', path: 'record', rule: 'unknown', ...unknownRecord(model, id) });
};
