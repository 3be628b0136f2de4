/** The records of a text of CSV, for a look at its beginning: quoted values, line breaks in them, and lines as an editor counts them. */
export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

export type CsvRecord = {
  /** At which it begins, from 1. */
  readonly line: number;
  /** Without their quotes. */
  readonly values: readonly string[];
};

type ParseOptions = {
  readonly delimiter: string;
  /** The text goes on behind its end: a record that has no end is left out. */
  readonly isCut?: boolean;
  readonly recordsMax?: number;
};

class RecordReader {
  readonly records: CsvRecord[] = [];
  #values: string[] = [];
  #value = '';
  #line = 1;
  #recordLine = 1;
  #hasBegun = false;

  add(text: string): void {
    this.#value += text;
    this.#hasBegun = true;
  }

  /** An empty value in quotes begins one as well. */
  begin(): void {
    this.#hasBegun = true;
  }

  nextLine(): void {
    this.#line += 1;
  }

  endValue(): void {
    this.#values.push(this.#value);
    this.#value = '';
    this.#hasBegun = true;
  }

  endRecord(): void {
    this.endValue();
    this.records.push({ line: this.#recordLine, values: this.#values });
    this.#values = [];
    this.#recordLine = this.#line;
    this.#hasBegun = false;
  }

  endText(): void {
    if (this.#hasBegun) this.endRecord();
  }
}

export const parseCsv = (
  text: string,
  { delimiter, isCut = false, recordsMax = Number.POSITIVE_INFINITY }: ParseOptions,
): readonly CsvRecord[] => {
  const reader = new RecordReader();
  let isOpen = false;
  for (let at = 0; at < text.length && reader.records.length < recordsMax; at += 1) {
    const character = text.charAt(at);
    const isPair = character === '\r' && text[at + 1] === '\n';
    if (character === '"' && isOpen && text[at + 1] === '"') {
      reader.add('"');
      at += 1;
    } else if (character === '"') {
      isOpen = !isOpen;
      reader.begin();
    } else if (isOpen) {
      reader.add(character);
      if (character === '\n' || (character === '\r' && !isPair)) reader.nextLine();
    } else if (character === delimiter) reader.endValue();
    else if (character === '\n' || character === '\r') {
      if (isPair) at += 1;
      reader.nextLine();
      reader.endRecord();
    } else reader.add(character);
  }
  if (!isCut && reader.records.length < recordsMax) reader.endText();
  return reader.records;
};

const recordsComparedMax = 20;
const sameShareMin = 0.5;

/** The one that finds the most values in the first record, and as many in most of those that follow; a comma when none does. */
export const detectDelimiter = (text: string, isCut: boolean): Delimiter => {
  const counted = delimiters.map((delimiter) => {
    const records = parseCsv(text, { delimiter, isCut, recordsMax: recordsComparedMax });
    const values = records[0]?.values.length ?? 0;
    const same = records.filter((record) => record.values.length === values).length;
    return { delimiter, values: same / Math.max(1, records.length) >= sameShareMin ? values : 0 };
  });
  const [best] = counted.toSorted((one, other) => other.values - one.values);
  return best !== undefined && best.values > 1 ? best.delimiter : ',';
};
