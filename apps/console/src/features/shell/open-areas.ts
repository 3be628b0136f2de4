/** An area of the console: a folder below `routes`, and what leads there. */
import type { Scope } from '../../api/operations.js';
import type { Language } from '../../language/languages.js';
import type { IconName } from '../../ui/icon.js';

export type Area = {
  /** Of its first page, from the root of the console: `/processes`. */
  readonly path: `/${string}`;
  /** Its place in the navigation: 10 processes, 20 figures, 30 ask, 40 tools, 50 data, 60 administration. */
  readonly order: number;
  readonly icon: IconName;
  /** Who has none of them does not see the area: the server would refuse all of it. */
  readonly scopes: readonly Scope[];
  readonly title: Readonly<Record<Language, string>>;
  /** One sentence: what is found there. */
  readonly purpose: Readonly<Record<Language, string>>;
};

/** Those that are open to a person, in their order. */
export const openAreas = (areas: readonly Area[], held: readonly string[]): readonly Area[] =>
  areas
    .filter(({ scopes }) => scopes.some((scope) => held.includes(scope)))
    .toSorted((one, other) => one.order - other.order);
