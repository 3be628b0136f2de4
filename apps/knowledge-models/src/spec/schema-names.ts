/**
 * Ids of a model -> names that every generator of clients can use: letters and digits only, and no two that differ only in
 * case. The same model gives the same names to everybody, whatever they see of it.
 */

/** `PO_ITEM` -> `PoItem`. */
export const pascalCase = (id: string): string => {
  const words = id.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('');
  return /^[A-Za-z]/.test(name) ? name : `Record${name}`;
};

/** By id; the first of several that would be called the same keeps the name, the others are numbered. */
export const namesFor = (ids: readonly string[], taken: readonly string[]): ReadonlyMap<string, string> => {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return new Map(
    ids.map((id) => {
      const wanted = pascalCase(id);
      let name = wanted;
      for (let number = 2; used.has(name.toLowerCase()); number++) name = `${wanted}${number}`;
      used.add(name.toLowerCase());
      return [id, name];
    }),
  );
};
