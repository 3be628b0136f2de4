/**
 * Faults of a refused write at their fields. The content repository says them in one text, each with its place before it:
 * `… body elements.0.attributes.name.1034: unknown culture "1034". version attributes.name: …`
 */
import type { EditorField } from './editor-fields.js';

export type FieldFaults = {
  /** By the ids of fields. */
  readonly byField: Readonly<Record<string, string>>;
  /** Whether something was said that belongs to no field. */
  readonly hasOthers: boolean;
};

const placePattern = /(?:^|\s)(?:body|version|header) ((?:[A-Za-z0-9_$-]+\.)*[A-Za-z0-9_$-]+): /g;

type Located = { readonly path: string; readonly message: string };

const faultsIn = (detail: string): readonly Located[] => {
  const places = [...detail.matchAll(placePattern)];
  return places.map((place, at) => {
    const end = places[at + 1]?.index ?? detail.length;
    return { path: place[1] ?? '', message: detail.slice(place.index + place[0].length, end).trim() };
  });
};

export const fieldFaultsOf = (detail: string, fields: readonly EditorField[]): FieldFaults => {
  const located = faultsIn(detail).map((fault) => ({ fault, field: fieldOf(fault, fields) }));
  return {
    byField: Object.fromEntries(
      located.flatMap(({ fault, field }) => (field ? [[field.id, fault.message] as const] : [])),
    ),
    hasOthers: located.length === 0 || located.some(({ field }) => field === undefined),
  };
};

/** The one that the path begins with; a culture or a name may be in the message alone. */
const fieldOf = ({ path, message }: Located, fields: readonly EditorField[]): EditorField | undefined => {
  const place = path.replace(/^elements\.\d+\./, '');
  const named = /^attributes$/.test(place) ? `attributes.${/"([^"]+)"/.exec(message)?.[1] ?? ''}` : place;
  const culture = /in the culture (\d+)/.exec(message)?.[1];
  const wanted = culture === undefined ? named : `${named}.${culture}`;
  const isAt = (id: string, full: string): boolean => full === id || full.startsWith(`${id}.`);
  return (
    fields.find(({ id }) => isAt(id.toLowerCase(), wanted.toLowerCase())) ??
    fields.find(({ member, name }) => isAt(`${member}.${name}`.toLowerCase(), named.toLowerCase()))
  );
};
