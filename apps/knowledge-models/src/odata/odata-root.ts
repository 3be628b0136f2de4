/** The address of the OData service of a model, and the headers of all its answers. Refuses: addresses that end without a slash. */
import { fillPath } from '@tessera/contracts';
import { odataPrefix } from '@tessera/contracts/knowledge-models';
import type { OperationContext } from '@tessera/messaging';
import type { Representation } from '@tessera/odata';

export const odataRoot = ({ publicUrl }: Pick<OperationContext, 'publicUrl'>, modelId: string): string =>
  `${publicUrl}${fillPath({ path: odataPrefix }, () => encodeURIComponent(modelId))}/`;

/** `preferred`: the page size that was heeded. */
export const odataHeaders = ({ version }: Representation, preferred?: number): Readonly<Record<string, string>> => ({
  'odata-version': version,
  ...(preferred !== undefined && { 'preference-applied': `odata.maxpagesize=${preferred}` }),
});
