/** Steps of tools for specs of grounding: what a turn was told. */
import type { ToolStep } from '../grounding/told-values.js';

export const createToolStep = (result: unknown, more: Partial<ToolStep> = {}): ToolStep => ({
  ...{ kind: 'tool', at: '2026-06-30T08:00:00.000Z', durationMs: 1, callId: 'c1', tool: 'load-data', arguments: {} },
  ...{ result: typeof result === 'string' ? result : JSON.stringify(result), isError: false },
  ...more,
});

type Column = readonly [id: string, type: string, displayName: string];

/** As load-data answers. */
export const createFrame = (
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
  total = rows.length,
): object => ({
  ...{ page: 0, page_size: 50, total },
  data_frame_content: {
    data: rows.map((row) => Object.fromEntries(columns.map(([id], place) => [id, row[place]]))),
    schema: columns.map(([id, type, displayName]) => ({ id, type, displayName })),
  },
});

/** One figure alone. */
export const revenueFrame = createFrame([['REVENUE', 'FLOAT', 'Revenue']], [[8_021_924.26]]);

export const plantsFrame = createFrame(
  [
    ['PURCHASE_ORDER.PLANT', 'STRING', 'Plant'],
    ['MAVERICK_RATE', 'FLOAT', 'Maverick buying'],
    ['ORDER_VALUE', 'FLOAT', 'Order value'],
  ],
  [
    ['1010', 0.013_2, 4_100_000.5],
    ['1020', 0.012_3, 2_500_000.25],
    ['2010', 0.094_8, 1_200_000],
    ['3010', 0.099_3, 221_923.51],
  ],
);
