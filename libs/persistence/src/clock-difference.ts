/** The clock of this process beside that of the database, which all processes share. */
import type pg from 'pg';

/** Deadlines travel between processes as moments, and the shortest are ten seconds away. */
export const clockDifferenceMaxMs = 5_000;

export type ClockDifference = {
  readonly processTime: Date;
  readonly databaseTime: Date;
  /** How far the database is ahead at least, negative when it is behind; the way there and back is taken off. */
  readonly aheadMs: number;
  readonly isBearable: boolean;
};

/** Rejects with the error of the database. `clock` answers milliseconds since 1970. */
export const readClockDifference = async (
  connection: Pick<pg.Pool, 'query'>,
  clock: () => number = Date.now,
): Promise<ClockDifference> => {
  const beganAtMs = performance.now();
  const { rows } = await connection.query<{ readonly now: Date }>('select clock_timestamp() as now');
  const tookMs = performance.now() - beganAtMs;
  const processTime = new Date(clock());
  const databaseTime = rows[0]?.now ?? processTime;
  // The database looked at its clock at some time on the way there and back.
  const apartMs = databaseTime.getTime() - processTime.getTime();
  const aheadMs = apartMs > 0 ? apartMs : Math.min(0, apartMs + tookMs);
  return { processTime, databaseTime, aheadMs, isBearable: Math.abs(aheadMs) <= clockDifferenceMaxMs };
};
