/**
 * What the replies of this service share: the answer for what is not there, the name of a list, ETags.
 * An ETag is `"<revision>-<change>.<definition>-<asked>"`: the revision of the version that was read (0 for lists and
 * reports), the number of the storage's last change, the revision of its definition, and a digest of the request, the
 * storage and the public address. Any change of the storage makes another ETag, so a match is never stale.
 */
import { hash } from 'node:crypto';
import { type ByteReply, isNoneMatch } from '@tessera/contracts';
import { fail, type Result, succeed } from '@tessera/failures';
import { jsonContentType } from '@tessera/messaging';

/** The one answer for what is not there. Never tells an unknown storage from an unknown facet or another team's element. */
export const contentNotFound = fail('CONTENT_NOTFOUND', 'There is nothing at this address.');

/** 2.0 is 4.0 under another number. */
export type ApiVersion = '1.0' | '2.0' | '4.0';

/** What a list is called. */
export const listMemberName = (apiVersion: ApiVersion): 'values' | 'elements' =>
  apiVersion === '1.0' ? 'values' : 'elements';

export type EtagState = {
  /** Of the version that was read; absent for what is more than one. */
  readonly revision?: string | undefined;
  readonly storageId: string;
  readonly changeSequence: string;
  readonly storageRevision: string;
};

/** `request`: an operation's; what the caller has already is no part of what is asked for. */
export const etagOf = (
  { revision = '0', storageId, changeSequence, storageRevision }: EtagState,
  request: object,
  publicUrl: string,
): string => {
  const requested = JSON.stringify([storageId, publicUrl, { ...request, ifNoneMatch: undefined }]);
  return `"${revision}-${changeSequence}.${storageRevision}-${hash('sha256', requested, 'base64url').slice(0, digestLength)}"`;
};

const digestLength = 16;

/** What an ETag says of the request, whatever changed since. */
export const requestDigestOfEtag = (etag: string): string => etag.slice(-digestLength - 1, -1);

export type ConditionalRequest = { readonly ifNoneMatch?: string | undefined };

/**
 * The revision in an ETag that this service made, or in one cut down to it: `"17"`. Undefined when it is none. A weak
 * prefix does not matter: who compresses an answer on its way changes its bytes, not its revision.
 */
export const revisionOfEtag = (etag: string): string | undefined => /^(?:W\/)?"(\d{1,19})(?:-[^"]*)?"$/.exec(etag)?.[1];

/** The answer for a caller who has it already; undefined when it has to be made. */
export const notModifiedReply = ({ ifNoneMatch }: ConditionalRequest, etag: string): Result<ByteReply> | undefined =>
  isNoneMatch(ifNoneMatch, etag)
    ? undefined
    : succeed({ status: 304, contentType: jsonContentType, headers: { etag }, body: new Uint8Array(0) });
