export type BinSearch = {
  /** `collection/storage`; the first of the team when left out. */
  readonly storage?: string;
};

/** Who types an address may write anything: what is no storage is left out. */
export const readBinSearch = ({ storage }: Readonly<Record<string, unknown>>): BinSearch =>
  typeof storage === 'string' && /^[^/]{1,64}\/[^/]{1,64}$/.test(storage) ? { storage } : {};
