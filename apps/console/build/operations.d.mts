import type { HttpBinding } from '@tessera/contracts';

type Binding = Pick<HttpBinding, 'group' | 'method' | 'path' | 'body' | 'headers'>;

export declare const operationsIn: (owners: readonly object[]) => Readonly<Record<string, Binding>>;
export declare const operations: Readonly<Record<string, Binding>>;
