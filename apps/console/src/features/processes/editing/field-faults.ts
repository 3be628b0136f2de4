/**
 * Faults of a refused write at their fields. The content repository says them in one text, each with its place before it:
 * `… body elements.0.attributes.name.1034: unknown culture "1034". version attributes.name: …`
 */
import type { EditorField } from './editor-fields.js';

const placePattern = /(?:^|\s)(?:body|version|header) ((?:[A-Za-z0-9_$-]+\.)*[A-Za-z0-9_$-]+): /g;

type Located = { readonly path: string; readonly message: string };

const faultsIn = (detail: string): readonly Located[] => {
  const places = [...detail.matchAll(placePattern)];
  return places.map((place, at) => {
    const end = places[at + 1]?.index ?? detail.length;
    return { path: place[1] ?? '', message: detail.slice(place.index + place[0].length, end).trim() };
  });
};

/** By the ids of fields; what belongs to none is left out. */
export const fieldFaultsOf = (detail: string, fields: readonly EditorField[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    faultsIn(detail).flatMap((fault) => {
      const field = fieldOf(fault, fields);
      return field ? [[field.id, fault.message] as const] : [];
    }),
  );

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
