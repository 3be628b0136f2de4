/**
 * Columns of load-data that no field and no KPI of the model is: a date by its period (`RECORD.FIELD:month`), the aggregate of a
 * field (`avg(RECORD.FIELD)`, `count(distinct RECORD.FIELD)`) and the number of rows of a record (`count(RECORD)`).
 */
import { dateGrains, isDateType } from '@tessera/contracts/knowledge-models';
import { aggregateFunctions, isAggregatable, type CallerView, type DataQuery } from '@tessera/knowledge-model';
import { createColumnFinder } from './tool-arguments.js';

type FieldAggregate = NonNullable<DataQuery['aggregates']>[number];

/** `fault` says what is wrong with it; a period has neither of both. */
export type ComputedColumn = { readonly aggregate?: FieldAggregate; readonly fault?: string };

const aggregatePattern = /^(?<name>[a-z]+)\((?<distinct>distinct )?(?<record>[^().]+)(?:\.(?<field>[^().]+))?\)$/;

/** Undefined when it is not written like one, or names what the caller does not see. */
export const readComputedColumn = (view: CallerView, id: string): ComputedColumn | undefined =>
  readPeriod(view, id) ?? readAggregate(view, id);

const readPeriod = (view: CallerView, id: string): ComputedColumn | undefined => {
  const at = id.indexOf(':');
  const found = at < 0 ? undefined : createColumnFinder(view)(id.slice(0, at));
  if (!found || found.isKpi) return undefined;
  if (!isDateType(found.type)) return { fault: `"${id}" is of type ${found.type}; only dates have a period` };
  const isKnown = dateGrains.some((grain) => grain === id.slice(at + 1));
  return isKnown ? {} : { fault: `"${id}" has no such period; expected ${dateGrains.join(', ')}` };
};

const readAggregate = (view: CallerView, id: string): ComputedColumn | undefined => {
  const { name, distinct, record = '', field } = aggregatePattern.exec(id)?.groups ?? {};
  const known = aggregateFunctions.find((each) => each === name);
  if (known === undefined || !view.names.fields.has(record)) return undefined;
  if (field === undefined) {
    if (known !== 'count' || distinct !== undefined)
      return { fault: `"${id}" names no field; only the rows of a record can be counted` };
    return { aggregate: { id, function: 'count', distinct: false, record } };
  }
  const found = createColumnFinder(view)(`${record}.${field}`);
  if (!found) return undefined;
  if (!isAggregatable(known, found.type)) return { fault: `there is no ${known} of type ${found.type}` };
  return { aggregate: { id, function: known, distinct: distinct !== undefined, record, field } };
};
