export { backUp, type BackupResult, type BackupOptions } from './back-up.js';
export { BackupFault } from './backup-fault.js';
export { checkArchive, restoreArchive, type CheckedArchive, type RestoreOptions } from './restore.js';
export type { ProgressListener } from './write-archive.js';
