/**
 * Groups of `$apply` as JSON: what they are by, then what is computed of them. They are no entries of their set, so they have
 * neither an id nor links; what is computed is declared nowhere, so that its type stands beside it where JSON does not show it.
 */
import { type EntityProperty, type EntityType, schemaNamespace } from '../model/entity-model.js';
import type { GroupKey, Grouping } from '../query/read-apply.js';
import { createPageFrame, type JsonFormat, createValuesWriter } from './json-payload.js';
import { type PayloadSerializer, type PayloadLayout, type Row, valueFormatKey } from './payload.js';

export type GroupsPayloadLayout = Grouping & Pick<PayloadLayout, 'root' | 'type' | 'places' | 'representation'>;

export const createGroupsSerializer = (subject: GroupsPayloadLayout): PayloadSerializer => {
  const { format } = subject.representation;
  if (format.kind !== 'json') throw new Error('Groups are written as JSON alone.');
  const { root, type, representation, places, keys, measures } = subject;
  const context = `${root}$metadata#${type.setName}(${contextItems(subject).join(',')})`;
  const told = format.metadata === 'none' ? [] : [`"@odata.context":${JSON.stringify(context)}`];
  const columns = [...keys, ...measures].map(({ property }) => [...valueFormatKey(property), places.get(property.id)]);
  return {
    key: JSON.stringify(['groups', format, representation.version, context, columns]),
    writer: () => groupWriter(subject, format),
    separator: ',',
    ...createPageFrame(told, format),
  };
};

/** `CITY`, `ORDER(COUNTRY)`, `TOTAL`. */
const contextItems = (groups: Grouping): readonly string[] => {
  const { own, related, computed } = sortedMembers(groups);
  return [
    ...own.map(({ name }) => name),
    ...[...related].map(([name, properties]) => `${name}(${properties.map((property) => property.name).join(',')})`),
    ...computed.map(({ name }) => name),
  ];
};

type GroupMembers = {
  readonly own: readonly EntityProperty[];
  /** By the navigation property that leads there. */
  readonly related: ReadonlyMap<string, readonly EntityProperty[]>;
  readonly computed: readonly EntityProperty[];
};

const sortedMembers = ({ keys, measures }: Grouping): GroupMembers => {
  const related = Map.groupBy(keys.filter(isRelated), ({ navigation }) => navigation.name);
  return {
    own: keys.flatMap((key) => (isRelated(key) ? [] : [key.property])),
    related: new Map([...related].map(([name, ofOne]) => [name, ofOne.map(({ property }) => property)])),
    computed: measures.map(({ property }) => property),
  };
};

const isRelated = (key: GroupKey): key is Required<GroupKey> => key.navigation !== undefined;

const groupWriter = (subject: GroupsPayloadLayout, format: JsonFormat): ((row: Row) => string) => {
  const { own, related, computed } = sortedMembers(subject);
  const typed: JsonFormat = format.metadata === 'none' ? format : { ...format, metadata: 'full' };
  const control = controlOf(subject, format);
  const parts: ((row: Row) => string)[] = [];
  const comma = (): string => (parts.length > 0 ? ',' : '');
  const values = (shown: readonly EntityProperty[], how: JsonFormat, before: string) =>
    createValuesWriter({ ...subject, shown }, how, before);
  if (control.length > 0) parts.push(() => control.join(','));
  if (own.length > 0) parts.push(values(own, format, comma()));
  for (const [name, properties] of related) {
    const open = `${comma()}${JSON.stringify(name)}:{`;
    const write = values(properties, format, '');
    parts.push((row) => `${open}${write(row)}}`);
  }
  if (computed.length > 0) parts.push(values(computed, typed, comma()));
  return (row) => `{${parts.map((write) => write(row)).join('')}}`;
};

/** Where a client would take a group for an entry. */
const controlOf = (
  { type, keys, representation }: GroupsPayloadLayout,
  { metadata }: JsonFormat,
): readonly string[] => {
  if (metadata === 'none') return [];
  const isLikeEntry = hasWholeKey(type, keys) || representation.version === '4.0';
  const typed = metadata === 'full' ? [`"@odata.type":${JSON.stringify(`#${schemaNamespace}.${type.name}`)}`] : [];
  return [...typed, ...(isLikeEntry ? ['"@odata.id":null'] : [])];
};

const hasWholeKey = (type: EntityType, keys: Grouping['keys']): boolean => {
  const own = new Set(keys.filter((key) => !isRelated(key)).map(({ property }) => property.name));
  return type.key.length > 0 && type.key.every(({ name }) => own.has(name));
};
