export { backUp, type BackupResult, type BackupOptions } from './back-up.js';
export { BackupFault } from './backup-fault.js';
export { checkArchive, restore, type CheckedArchive, type RestoreOptions } from './restore.js';
export type { Progress } from './write-archive.js';
