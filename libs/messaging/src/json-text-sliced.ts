/** A JSON value as text, written in steps. The text is that of JSON.stringify. */
import { hasMoreValues } from '@tessera/contracts';
import type { Sliced } from '@tessera/fair-queue';

/** What has fewer values is left to the engine. */
const stepValues = 500;

export function* jsonTextSliced(value: unknown): Sliced<string> {
  const parts: string[] = [];
  yield* write(value, parts);
  return parts.join('');
}

function* write(value: unknown, parts: string[]): Sliced<void> {
  if (typeof value !== 'object' || value === null || !hasMoreValues(value, stepValues)) {
    parts.push(JSON.stringify(value) ?? 'null');
    return;
  }
  if (Array.isArray(value)) yield* writeList(value, parts);
  else yield* writeObject(value, parts);
}

function* writeList(list: readonly unknown[], parts: string[]): Sliced<void> {
  for (let index = 0; index < list.length; index++) {
    parts.push(index === 0 ? '[' : ',');
    yield* write(list[index], parts);
    yield;
  }
  parts.push(list.length === 0 ? '[]' : ']');
}

function* writeObject(members: object, parts: string[]): Sliced<void> {
  let isFirst = true;
  for (const name of Object.keys(members)) {
    const member: unknown = Reflect.get(members, name);
    if (member === undefined) continue;
    parts.push(isFirst ? '{' : ',', JSON.stringify(name), ':');
    isFirst = false;
    yield* write(member, parts);
    yield;
  }
  parts.push(isFirst ? '{}' : '}');
}
