/** Why a backup is not made or not restored, in one line for the person who asked for it. Refuses: bugs; they stay errors. */
export class BackupFault extends Error {}
