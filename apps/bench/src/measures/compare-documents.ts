/** Checks that floor and product return the same documents; otherwise they would not do the same work. */
import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../json.js';
import type { Bench, ComparisonSide, KnowledgeBench } from './bench.js';

const elementsCompared = 20;

const read = async <Document>({ origin, headers, prefix }: ComparisonSide, path: string): Promise<Document> => {
  const response = await fetch(origin + prefix + path, { headers });
  if (response.status !== 200)
    throw new Error(`${origin}${path} answered ${response.status}: ${await response.text()}`);
  return parseJson<Document>(await response.text());
};

/** The first place where two documents differ, as a path; undefined when they are equal. */
export const findFirstDifference = (left: unknown, right: unknown, at = ''): string | undefined => {
  if (isDeepStrictEqual(left, right)) return undefined;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return `${at}: ${JSON.stringify(left)} and ${JSON.stringify(right)}`;
  const [one, other] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const difference = findFirstDifference(one.get(key), other.get(key), `${at}/${key}`);
    if (difference !== undefined) return difference;
  }
  return `${at}: order or form`;
};

/** Rejects when any document differs. */
export const compareDocuments = async ({ sides, subject, say }: Bench): Promise<void> => {
  const elements = subject.elementPaths.slice(0, elementsCompared);
  const compare = async (floor: ComparisonSide, path: string): Promise<void> => {
    const difference = findFirstDifference(await read<unknown>(sides.gateway, path), await read<unknown>(floor, path));
    if (difference !== undefined) throw new Error(`Product and floor differ at ${path}${difference.slice(0, 500)}`);
  };
  for (const path of [...elements, subject.reportPath]) await compare(sides.floor, path);
  for (const path of elements) await compare(sides.storedFloor, path);
  say(`product and floors answer the same documents (${elementsCompared} elements, the report of ${subject.elements})`);
};

/** Rejects when product and floor answer other rows of a knowledge model: values in order, since the floor names them by columns. */
export const compareRows = async (
  { sides: { gateway, floor }, say }: KnowledgeBench,
  paths: readonly string[],
): Promise<void> => {
  for (const path of paths) {
    const difference = findFirstDifference(await readRows(floor, path), await readRows(gateway, path));
    if (difference !== undefined) throw new Error(`Product and floor differ at ${path}${difference.slice(0, 500)}`);
  }
  say('product and floor answer the same rows');
};

const readRows = async (side: ComparisonSide, path: string): Promise<readonly (readonly unknown[])[]> => {
  const { content } = await read<{ readonly content: readonly object[] }>(side, path);
  return content.map((row): unknown[] => Object.values(row));
};
