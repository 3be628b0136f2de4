/**
 * The revisions of the protocol, and what each can hold. Refuses: to negotiate; the SDK does.
 * Revisions are dates, so that they compare as text.
 */
import { DEFAULT_NEGOTIATED_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';

/** The revision without `initialize`, in which each request says what its client is. */
export const statelessRevision = '2026-07-28';

const firstWithStructure = '2025-06-18';

/** What a request without the header means, by the protocol. */
export const revisionOf = (header: string | undefined): string => header ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION;

/** Those that begin with `initialize`. */
const olderRevisions: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS);

export const isOlderRevision = (revision: string): boolean => olderRevisions.has(revision);

/** Titles, output schemas and structured results. */
export const hasStructure = (revision: string): boolean => revision >= firstWithStructure;

/** Many messages in one array: there were only the revisions before structure that had them. */
export const hasBatches = (revision: string): boolean => !hasStructure(revision);
