/**
 * The revisions of the protocol, and what each can hold. Refuses: to negotiate; the SDK does.
 * Revisions are dates, so that they compare as text.
 */
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';

/** The revision without `initialize`, in which each request says what its client is. */
export const statelessRevision = '2026-07-28';

const firstWithStructure = '2025-06-18';

/**
 * A request without the header is of 2025-03-26 or older, whose clients pass over members that they do not know, or of one
 * that skips `initialize` and reads what there is: both get all that the newest of these has.
 */
export const revisionOf = (header: string | undefined): string => header ?? LATEST_PROTOCOL_VERSION;

/** Those that begin with `initialize`. */
const olderRevisions: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS);

export const isOlderRevision = (revision: string): boolean => olderRevisions.has(revision);

/** Titles, output schemas and structured results. */
export const hasStructure = (revision: string): boolean => revision >= firstWithStructure;

/** Many messages in one array: only the revisions before structure have them, and who says none may be of one. */
export const hasBatches = (header: string | undefined): boolean => header === undefined || !hasStructure(header);
