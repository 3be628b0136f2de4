/**
 * The summary as JSON text, field by field in the order of the columns: what PostgreSQL sent, as the type of its field. Fields
 * that are no attributes are there with nothing.
 * Refuses: to round; every digit that was computed is answered.
 */
import type { CompiledSummary, ResultColumn } from '@tessera/knowledge-model';
import type { TextRow } from '@tessera/persistence';
import { encoderFor, type EncodeValue } from '../queries/encode-value.js';

export type SummaryRows = {
  /** Of each of the statements, in their order. */
  readonly figures: readonly (TextRow | undefined)[];
  readonly tops: readonly (TextRow | undefined)[];
};

type Members = [name: string, json: string][];

/** Behind the sample: its shape and the summary. */
export const presentSummary = (compiled: CompiledSummary, { figures, tops }: SummaryRows): string => {
  const { columns } = compiled.sample;
  const members = new Map(columns.map(({ id }): [string, Members] => [id, []]));
  compiled.figures.forEach((statement, index) => addFigures(members, statement.fields, figures[index] ?? []));
  compiled.tops.forEach(({ field }, index) => {
    const column = columns.find(({ id }) => id === field);
    if (column) members.get(field)?.push(...topMembers(column, tops[index]));
  });
  const [rows] = figures[0] ?? [];
  const summary = [...members].map(([id, own]) => [id, objectOf(inOrder(own))] as const);
  return `"shape":[${rows ?? '0'},${columns.length}],"summary":${objectOf(summary)}`;
};

const encodeNumber = encoderFor('float', false);

const addFigures = (
  members: ReadonlyMap<string, Members>,
  fields: CompiledSummary['figures'][number]['fields'],
  row: TextRow,
): void => {
  // The number of rows stands before.
  let place = 1;
  for (const { id, figures } of fields)
    for (const figure of figures) members.get(id)?.push([figure, jsonOf(row[place++], encodeNumber)]);
};

const topMembers = ({ type }: ResultColumn, row: TextRow | undefined): Members => {
  const [value, frequency, unique] = row ?? [null, '0', '0'];
  return [
    ['unique', jsonOf(unique, encodeNumber)],
    ['top', jsonOf(value, encoderFor(type, false))],
    ['freq', JSON.stringify(frequency)],
  ];
};

const jsonOf = (text: string | null | undefined, encode: EncodeValue): string =>
  text === null || text === undefined ? 'null' : encode(text);

/** The count first, whatever was added when. */
const inOrder = (members: Members): Members =>
  members.toSorted(([left], [right]) => Number(right === 'count') - Number(left === 'count'));

const objectOf = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
