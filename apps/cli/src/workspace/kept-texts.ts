/**
 * Keeps the elements of YAML files as JSON from check to import, up to a fixed size: parsing YAML is slow and takes
 * much memory. JSON Lines are read again instead.
 */
export const keptLengthMax = 32_000_000;

export class KeptTexts {
  readonly #texts = new Map<string, string[]>();
  readonly #given = new Set<string>();
  #room = keptLengthMax;

  add(file: string, text: string): void {
    const texts = this.#texts.get(file) ?? [];
    if (this.#given.has(file) && texts.length === 0) return;
    this.#given.add(file);
    this.#room -= text.length;
    texts.push(text);
    if (this.#room >= 0) this.#texts.set(file, texts);
    else this.#forget(file, texts);
  }

  /** All of the file or nothing. */
  of(file: string): readonly string[] | undefined {
    return this.#texts.get(file);
  }

  #forget(file: string, texts: readonly string[]): void {
    for (const { length } of texts) this.#room += length;
    this.#texts.delete(file);
  }
}
