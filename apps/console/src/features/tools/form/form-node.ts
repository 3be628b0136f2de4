/** What a form asks for, read from a JSON Schema: plain data that a draft is made for and fields are shown for. */

export type Choice = {
  /** Unique among the choices of a node. */
  readonly id: string;
  readonly value: unknown;
  readonly label: string;
  readonly description?: string;
};

export type ObjectMember = { readonly name: string; readonly node: FormNode };

type Common = {
  readonly title?: string;
  readonly description?: string;
  /** What holds when nothing is stated: the `default` of the schema. */
  readonly standard?: unknown;
  readonly isRequired: boolean;
};

type Shape =
  | {
      readonly kind: 'text';
      readonly isLong: boolean;
      /** Hidden while it is typed, and never part of an address. */
      readonly isSecret: boolean;
      /** An empty text is a value too. */
      readonly mayBeEmpty: boolean;
      readonly placeholder?: string;
    }
  | { readonly kind: 'number' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'list'; readonly item: FormNode }
  | { readonly kind: 'object'; readonly members: readonly ObjectMember[] }
  | { readonly kind: 'alternatives'; readonly options: readonly FormNode[] }
  /** What no field can show: typed as JSON. */
  | { readonly kind: 'json' };

export type FormShape = Shape;
export type FormNode = Common & Shape;
export type NodeOf<Kind extends FormNode['kind']> = Extract<FormNode, { readonly kind: Kind }>;

/** A choice of one is no choice: it stands there by itself, as the mark of an alternative does. */
export const isConstant = (node: FormNode): boolean => node.kind === 'choice' && node.choices.length === 1;
