/**
 * The elements of a storage's files with their types, parents and references, as a few numbers each, so that a hundred
 * thousand take little memory.
 */
import {
  elementIdOf,
  isUuid,
  findRelation,
  findType,
  type StorageModel,
  type TypeModel,
  collectReferences,
  type LocatedReference,
} from '@tessera/content-model';
import type { ElementDocument } from '@tessera/contracts';
import { findNearestName } from '@tessera/failures';

const noElement = -1;
/** Looking for the nearest name reads all of them. */
const suggestionsMax = 20;

/** What is wrong with where an element leads; undefined when nothing is. */
type WrongReference = string | undefined;

export class ElementIndex {
  readonly #slots = new Map<string, number>();
  /** By slot: the ordinal of the element that has this key, the index of its type, the slot of its parent. */
  readonly #ordinals: number[] = [];
  readonly #types: number[] = [];
  readonly #parents: number[] = [];
  /** A relation and a slot as one number, each once. */
  readonly #led = new Set<number>();
  readonly #twice: number[] = [];
  #suggestions = 0;

  #partial: boolean;

  /**
   * `partial`: whether the storage may hold what the files do not.
   * `trustsTypes`: false when the definition has faults, from which many more would follow.
   */
  constructor(
    private readonly model: StorageModel,
    partial: boolean,
    private readonly trustsTypes = true,
  ) {
    this.#partial = partial;
  }

  /** Something could not be read: what seems to be missing may be in there. */
  expectMore(): void {
    this.#partial = true;
  }

  /** Takes up an element, or as much of it as can be read of one that has faults. */
  add(ordinal: number, document: Pick<ElementDocument, 'id' | 'type'> & Partial<ElementDocument>): void {
    const slot = this.#slotOf(document.id);
    if (this.#ordinals[slot] !== noElement) {
      this.#twice.push(ordinal);
      return;
    }
    this.#ordinals[slot] = ordinal;
    this.#types[slot] = this.#typeIndex(document.type);
    if (document.parent !== undefined) this.#parents[slot] = this.#slotOf(document.parent);
  }

  refer(document: ElementDocument): void {
    for (const { relation, target } of collectReferences(document)) {
      const slot = this.#slotOf(target);
      this.#led.add(slot * this.#relationsMax + this.#relationIndex(relation));
    }
  }

  /** A derived UUID and its key are the same element. Once, when all are taken up. */
  unite(): void {
    const derived = [...this.#slots].filter(([key]) => isDerived(key));
    if (derived.length === 0) return;
    for (const [key, slot] of this.#slots) {
      const other = isUuid(key) ? undefined : this.#slots.get(elementIdOf(this.model, key));
      if (other === undefined || this.#ordinals[slot] === noElement) continue;
      if (this.#ordinals[other] !== noElement)
        this.#twice.push(Math.max(this.#ordinalOf(slot), this.#ordinalOf(other)));
      this.#ordinals[other] = this.#ordinalOf(slot);
      this.#types[other] = this.#types[slot] ?? noElement;
      this.#parents[other] = this.#parents[slot] ?? noElement;
    }
  }

  /** Elements whose id another element had before. */
  get twice(): readonly number[] {
    return this.#twice;
  }

  /** Whether any relation leads where it may not; which ones, `wrongTarget` says. */
  get hasWrongTargets(): boolean {
    for (const led of this.#led) {
      const slot = Math.floor(led / this.#relationsMax);
      if (this.#wrongTarget(slot, this.model.relations[(led % this.#relationsMax) - 1]?.name)) return true;
    }
    return false;
  }

  wrongTarget({ relation, target }: LocatedReference): WrongReference {
    const slot = this.#slotOf(target);
    const known = findRelation(this.model, relation)?.name;
    if (!this.#wrongTarget(slot, known)) return undefined;
    const type = this.#typeOf(slot);
    if (!type) return this.#missing(target);
    const expected = (findRelation(this.model, relation)?.to ?? []).map((name) => `"${name}"`).join(' or ');
    return `"${target}" is of the type "${type.name}"; "${known}" leads to ${expected}`;
  }

  /** Elements with a wrong parent or in a cycle of parents, by ordinal. */
  wrongParents(): readonly { readonly ordinal: number; readonly slot: number }[] {
    const circles = this.#circles();
    const wrong: { readonly ordinal: number; readonly slot: number }[] = [];
    for (const [slot, ordinal] of this.#ordinals.entries())
      if (ordinal !== noElement && (circles.has(slot) || this.#isWrongParent(slot))) wrong.push({ ordinal, slot });
    return wrong;
  }

  wrongParent(document: Pick<ElementDocument, 'id' | 'parent'>): WrongReference {
    const slot = this.#slotOf(document.id);
    const parent = document.parent;
    if (parent === undefined) return undefined;
    if (this.#isWrongParent(slot)) return this.#parentMessage(slot, parent);
    return 'stands in a circle: following its parents never ends at a root';
  }

  #parentMessage(slot: number, parent: string): WrongReference {
    const parentType = this.#typeOf(this.#parents[slot] ?? noElement);
    const type = this.#typeOf(slot);
    if (!parentType) return this.#missing(parent);
    if (parentType.facet !== type?.facet)
      return `"${parent}" belongs to the facet "${parentType.facet}", expected one of "${type?.facet}"`;
    const allowed = this.model.types.filter(({ childTypes }) => childTypes.includes(type.name)).map(({ name }) => name);
    const expected = allowed.length > 0 ? `; expected one of the type ${allowed.join(', ')}` : '; expected no parent';
    return `elements of the type "${type.name}" may not stand under "${parent}", which is of the type "${parentType.name}"${expected}`;
  }

  #missing(key: string): string {
    const message = `there is no element "${key}" in the files`;
    if (this.#suggestions++ >= suggestionsMax) return message;
    const suggestion = findNearestName(key, this.#definedKeys());
    return suggestion === undefined ? message : `${message}; did you mean "${suggestion}"?`;
  }

  *#definedKeys(): Generator<string> {
    for (const [key, slot] of this.#slots) if (this.#ordinals[slot] !== noElement) yield key;
  }

  #wrongTarget(slot: number, relation: string | undefined): boolean {
    if (this.#ordinals[slot] === noElement) return !this.#partial;
    if (!this.trustsTypes) return false;
    const type = this.#typeOf(slot);
    const to = relation === undefined ? undefined : findRelation(this.model, relation)?.to;
    return to !== undefined && type !== undefined && !to.includes(type.name);
  }

  /** An unknown type is reported elsewhere and allows any place. */
  #isWrongParent(slot: number): boolean {
    const parent = this.#parents[slot] ?? noElement;
    if (parent === noElement) return false;
    if (this.#ordinals[parent] === noElement) return !this.#partial;
    const [type, parentType] = [this.#typeOf(slot), this.#typeOf(parent)];
    if (!this.trustsTypes || !type || !parentType || parent === slot) return false;
    return type.facet !== parentType.facet || !parentType.childTypes.includes(type.name);
  }

  /**
   * The first element, by ordinal, of each cycle of parents; an element that is its own parent is reported elsewhere.
   */
  #circles(): ReadonlySet<number> {
    const found = new Set<number>();
    const walkOf: number[] = [];
    for (let start = 0; start < this.#parents.length; start++) {
      let slot = start;
      while (slot !== noElement && walkOf[slot] === undefined) {
        walkOf[slot] = start;
        slot = this.#parents[slot] ?? noElement;
      }
      if (slot === noElement || walkOf[slot] !== start || this.#parents[slot] === slot) continue;
      found.add(this.#firstOfCircle(slot));
    }
    return found;
  }

  #firstOfCircle(start: number): number {
    let first = start;
    for (let slot = this.#parents[start] ?? start; slot !== start; slot = this.#parents[slot] ?? start)
      if (this.#ordinalOf(slot) < this.#ordinalOf(first)) first = slot;
    return first;
  }

  #slotOf(key: string): number {
    const name = isUuid(key) ? key.toLowerCase() : key;
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = this.#slots.size;
    this.#slots.set(name, slot);
    this.#ordinals.push(noElement);
    this.#types.push(noElement);
    this.#parents.push(noElement);
    return slot;
  }

  #typeIndex(name: string): number {
    const type = findType(this.model, name);
    return type ? this.model.types.indexOf(type) : noElement;
  }

  #typeOf(slot: number): TypeModel | undefined {
    return this.model.types[this.#types[slot] ?? noElement];
  }

  /** 0 for a relation that is not defined. */
  #relationIndex(name: string): number {
    const relation = findRelation(this.model, name);
    return relation ? this.model.relations.indexOf(relation) + 1 : 0;
  }

  get #relationsMax(): number {
    return this.model.relations.length + 1;
  }

  #ordinalOf(slot: number): number {
    return this.#ordinals[slot] ?? noElement;
  }
}

/** Of version 8, as elementIdOf makes them; the server's own ids are of another. */
const isDerived = (key: string): boolean => isUuid(key) && key[14] === '8';
