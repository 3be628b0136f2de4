/**
 * What a value of a field or KPI is in an answer. Dates and times without a zone have formats of the format registry of
 * OpenAPI, since `date-time` and `time` need one.
 */
import type { ResultColumn } from '@tessera/knowledge-model';
import type { Schema } from './schema.js';

export type DescribedColumn = {
  readonly column: ResultColumn;
  readonly nullable: boolean;
  readonly description: string;
  /** Of a KPI. */
  readonly direction?: string;
  readonly target?: string | undefined;
};

export const createColumnSchema = ({ column, nullable, description, direction, target }: DescribedColumn): Schema => {
  const { name, unit, format } = column;
  const texts = [description, unit === undefined ? '' : `Unit: ${unit}.`].filter((text) => text !== '');
  return {
    title: name,
    ...(texts.length > 0 && { description: texts.join('\n\n') }),
    ...typeOf(column),
    ...(nullable && { nullable }),
    ...(unit !== undefined && { 'x-unit': unit }),
    ...(format !== undefined && { 'x-format': format }),
    ...(direction !== undefined && { 'x-direction': direction }),
    ...(target !== undefined && { 'x-target': target }),
  };
};

const typeOf = ({ type, exact }: ResultColumn): Schema => {
  switch (type) {
    case 'string':
      return { type: 'string' };
    case 'integer':
      return exact ? { type: 'string', pattern: '^-?[0-9]+$' } : { type: 'integer', format: 'int64' };
    case 'float':
      return exact ? { type: 'string', format: 'decimal' } : { type: 'number', format: 'double' };
    case 'boolean':
      return { type: 'boolean' };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'time':
      return { type: 'string', format: 'time-local' };
    case 'datetime':
      return { type: 'string', format: 'date-time-local' };
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
  }
};
