/** A link into another area, by the address that its routes say: areas know nothing else of each other. */
import type { ReactNode } from 'react';
import { TextLink } from './text-link.js';

export type AreaAddress = {
  /** As its route names it: `/figures/$modelId`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, unknown>>;
};

export const AreaLink = ({
  path,
  params = {},
  search = {},
  children,
}: AreaAddress & { readonly children: ReactNode }) => (
  <TextLink to={path} params={params} search={search}>
    {children}
  </TextLink>
);
