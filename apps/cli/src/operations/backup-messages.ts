import { BackupFault } from '@tessera/persistence/backup';
import type { CommandContext } from '../commands/command.js';
import { exitCodes, type ExitCode } from '../exit-code.js';
import { formatCount } from '../terminal/terminal.js';

/** Prints a fault of the backup in one line; other errors are thrown. */
export const runAndReportBackupFaults = async (
  { terminal }: CommandContext,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BackupFault)) throw error;
    terminal.note(`error: ${error.message}.`);
    return exitCodes.faults;
  }
};

/** `the team meridian`, `2 teams (meridian, northgate)` */
export const formatTeams = (scope: 'team' | 'all', teams: readonly string[]): string => {
  if (scope === 'team') return `the team ${teams.join(', ')}`;
  const named = teams.slice(0, teamsListedMax).join(', ');
  const more = teams.length > teamsListedMax ? `, and ${teams.length - teamsListedMax} more` : '';
  return teams.length === 0
    ? 'no team'
    : `${formatCount(teams.length)} ${teams.length === 1 ? 'team' : 'teams'} (${named}${more})`;
};

const teamsListedMax = 10;

export const formatRowCount = (rows: number): string => (rows === 1 ? '1 row' : `${formatCount(rows)} rows`);

/** `1.5 MB` */
export const formatMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
export const formatElapsedSeconds = (sinceMs: number): string =>
  `${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`;
