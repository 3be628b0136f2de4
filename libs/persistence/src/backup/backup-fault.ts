/** Why a backup is not made or not restored, in one line for the person who asked for it. */
export class BackupFault extends Error {}
