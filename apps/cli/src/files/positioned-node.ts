/**
 * A document as a tree of positions in its text, the same for YAML and JSON, and the position for the path of a fault.
 */
export type PositionedNode =
  | { readonly kind: 'map'; readonly offset: number; readonly members: readonly PositionedMember[] }
  | { readonly kind: 'list'; readonly offset: number; readonly members: readonly PositionedMember[] }
  | {
      readonly kind: 'scalar';
      readonly offset: number;
      /** A number or a word of YAML without quotes, such as 1.0 or true. */
      readonly bare: boolean;
      /** Position of a character of the text, counted from `offset`; without it the characters are contiguous. */
      readonly within?: (position: number) => number;
    };

/** A member of a map or, with its index as name, of a list. */
export type PositionedMember = { readonly name: string; readonly offset: number; readonly node: PositionedNode };

/** From 1, both. */
export type Position = { readonly line: number; readonly column: number };

/**
 * Where a fault is: at the value; at the name of the member when the value is a map or a list, or when the message is
 * about the name (it quotes it); at the nearest thing around it when the member is missing. With a position it is at that
 * character of the value.
 */
export const findFaultOffset = (root: PositionedNode, path: string, message: string, position?: number): number => {
  let node = root;
  let around = root.offset;
  let rest = path;
  while (rest !== '') {
    const member = memberAt(node, rest);
    if (!member) return around;
    rest = rest.slice(member.name.length + 1);
    const isAboutName = position === undefined && message.includes(`"${member.name}"`);
    if (rest === '' && node.kind === 'map' && isAboutName) return member.offset;
    around = member.offset;
    node = member.node;
  }
  return node.kind === 'scalar' ? node.offset + (position === undefined ? 0 : (node.within?.(position) ?? 0)) : around;
};

/** The node at a path. */
export const findNodeAt = (root: PositionedNode, path: string): PositionedNode | undefined => {
  if (path === '') return root;
  const member = memberAt(root, path);
  return member && findNodeAt(member.node, path.slice(member.name.length + 1));
};

/** Names may hold dots, so the longest name with which the path begins is meant. */
const memberAt = (node: PositionedNode, path: string): PositionedMember | undefined => {
  if (node.kind === 'scalar') return undefined;
  let found: PositionedMember | undefined;
  for (const member of node.members)
    if (path === member.name || path.startsWith(`${member.name}.`))
      if (!found || member.name.length >= found.name.length) found = member;
  return found;
};
