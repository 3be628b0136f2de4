/** The page of the evidence that stands behind a figure, by the address that the server says. */
import type { AreaAddress } from '../../ui/area-link.js';

const recordAddress = /^\/intelligence\/api\/evidence\/([\w-]{1,200})$/;

/** Undefined where there is no evidence, or an address that is none of a record. */
export const evidenceAddress = (address: string | undefined): AreaAddress | undefined => {
  const evidenceId = recordAddress.exec(address ?? '')?.[1];
  return evidenceId === undefined ? undefined : { path: '/evidence/$evidenceId', params: { evidenceId } };
};
