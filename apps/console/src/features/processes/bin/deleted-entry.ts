import type { AnswerFor } from '../../../api/operations.js';

export type DeletedEntry = AnswerFor<'listBin'>['deleted'][number];

/** A storage as its administrators name it. */
export type StorageOfTeam = { readonly team: string; readonly collection: string; readonly storage: string };

/** By which it is restored: a version that was deleted alone by its own id. */
export const idInBin = ({ id, versionId }: Pick<DeletedEntry, 'id' | 'versionId'>): string => versionId ?? id;

/** The subject of a member, without what says that it is one. */
export const personOf = (subject: string | undefined): string => subject?.replace(/^member:/, '') ?? '';
