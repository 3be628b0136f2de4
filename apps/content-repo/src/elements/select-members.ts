/** `$select`: keeps the attributes and relations of these names, in an element and in all that is inside it. */
import type { ElementJson } from './element-json.js';

/** `names` in lower case. What becomes empty is left out. */
export const selectMembers = (element: ElementJson, names: ReadonlySet<string>): ElementJson => {
  const { attributes, related, children, content, rootPath, expandUri, ...identity } = element;
  const inside = (list: readonly ElementJson[]) => list.map((item) => selectMembers(item, names));
  const relations = related && selected(related, names).map(([name, list]) => [name, inside(list)] as const);
  return {
    ...identity,
    ...(attributes && nonEmpty('attributes', selected(attributes, names))),
    ...(relations && nonEmpty('related', relations)),
    ...(children && { children: inside(children) }),
    ...(content && { content: inside(content) }),
    ...(rootPath && { rootPath: inside(rootPath) }),
    ...(expandUri !== undefined && { expandUri }),
  };
};

const selected = <Value>(members: Readonly<Record<string, Value>>, names: ReadonlySet<string>) =>
  Object.entries(members).filter(([name]) => names.has(name.toLowerCase()));

const nonEmpty = (member: string, entries: readonly (readonly [string, unknown])[]) =>
  entries.length > 0 ? { [member]: Object.fromEntries(entries) } : {};
