/**
 * Reads a document as far as possible although its shape has faults, so that faults of its meaning are reported too. A
 * misspelt member or enum value counts as the nearest right one. Never apply the result; it only serves checks.
 */
import type { ParseResult } from '@tessera/content-model';
import type { Fault } from '@tessera/failures';

export type LenientResult<T> = {
  readonly value: T | undefined;
  /** Without those that only follow from others: a member that is missing because it is misspelt. */
  readonly faults: readonly Fault[];
  /** The faults of the value, at the paths of the document. */
  readonly asWritten: (faults: readonly Fault[]) => readonly Fault[];
};

type Rename = { readonly meant: string; readonly written: string };

export const parseLeniently = <T>(document: unknown, parse: (value: unknown) => ParseResult<T>): LenientResult<T> => {
  const parsed = parse(document);
  if (parsed.ok) return { value: parsed.value, faults: [], asWritten: (faults) => faults };
  const mended: unknown = structuredClone(document);
  const renames: Rename[] = [];
  const removed: string[] = [];
  // Names first: a member that is missing may turn out to be misspelt.
  const isName = ({ rule }: Fault): boolean => rule === 'unrecognized_keys';
  for (const fault of parsed.faults.filter(isName)) repairMember(mended, fault, renames, removed);
  for (const fault of parsed.faults) if (!isName(fault)) repairMember(mended, fault, renames, removed);
  const again = parse(mended);
  const isMisspelt = ({ path }: Fault): boolean => renames.some(({ meant }) => meant === path);
  const told = parsed.faults.filter((fault) => isName(fault) || !isMisspelt(fault));
  return {
    value: again.ok ? again.value : undefined,
    faults: told.length > 0 ? told : [unexplained],
    asWritten: (faults) =>
      faults.filter((fault) => !isConsequence(fault, removed)).map((fault) => writtenPath(fault, renames)),
  };
};

/** A document that its schema refuses is never without a fault, so that no command leaves it out silently. */
const unexplained: Fault = { in: 'definition', path: '', message: 'does not have the form of its kind', rule: 'form' };

const isMissing = (message: string): boolean => message.startsWith('is missing');

/** `expected Table`, and not `expected one of csv, jsonl`. */
const onlyValue = /^(?:is missing; )?expected (?<only>\w+)(?:, not "|$)/;

const repairMember = (
  root: unknown,
  { path, rule, suggestion, message }: Fault,
  renames: Rename[],
  removed: string[],
): void => {
  const only = rule === 'invalid_value' ? onlyValue.exec(message)?.groups?.['only'] : undefined;
  if (only !== undefined && isRecord(root) && !path.includes('.')) {
    root[path] = only;
    return;
  }
  if (isMissing(message)) return;
  const at = parentOf(root, path);
  if (!at) return;
  const { parent, name, prefix } = at;
  const value = parent[name];
  if (rule === 'invalid_value' && suggestion !== undefined) {
    parent[name] = suggestion;
    return;
  }
  removed.push(path);
  // A key that YAML takes for a number is still the key that others refer to.
  if (prefix === '' && memberNameRules.has(name) && (typeof value === 'number' || typeof value === 'boolean')) {
    parent[name] = String(value);
    return;
  }
  delete parent[name];
  if (rule !== 'unrecognized_keys' || suggestion === undefined || suggestion in parent) return;
  parent[suggestion] = value;
  renames.push({ meant: `${prefix}${suggestion}`, written: path });
};

const memberNameRules: ReadonlySet<string> = new Set(['id', 'type', 'parent']);

type Place = { readonly parent: Record<string, unknown>; readonly name: string; readonly prefix: string };

/** The object of the last member of a path; list entries are kept, because faults name others by their index. */
const parentOf = (root: unknown, path: string): Place | undefined => {
  let node = root;
  let rest = path;
  let prefix = '';
  while (isRecord(node) || Array.isArray(node)) {
    if (isRecord(node) && Object.hasOwn(node, rest)) return { parent: node, name: rest, prefix };
    const name = Object.keys(node)
      .filter((key) => rest.startsWith(`${key}.`))
      .sort((left, right) => right.length - left.length)[0];
    if (name === undefined) return undefined;
    prefix += `${name}.`;
    rest = rest.slice(name.length + 1);
    node = isRecord(node) ? node[name] : node[Number(name)];
  }
  return undefined;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is mandatory is not missing when it was there and had a fault. */
const isConsequence = ({ path, rule }: Fault, removed: readonly string[]): boolean =>
  rule === 'mandatory' && removed.some((member) => member === path || member.startsWith(`${path}.`));

const writtenPath = (fault: Fault, renames: readonly Rename[]): Fault => {
  const rename = renames.find(({ meant }) => fault.path === meant || fault.path.startsWith(`${meant}.`));
  return rename ? { ...fault, path: `${rename.written}${fault.path.slice(rename.meant.length)}` } : fault;
};
