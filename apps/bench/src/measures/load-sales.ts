import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tenant, tenantName } from '../product/subject.js';
import { salesRows, tableName, writeBenchModel } from '../workload/bench-model.js';
import { applyWorkspace, runTessera } from '../workload/run-tessera.js';
import type { Figure, KnowledgeBench } from './bench.js';

export const loadSales = async (bench: KnowledgeBench): Promise<Figure> => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
  try {
    const file = await writeBenchModel(folder, tenant, tenantName);
    await applyWorkspace(bench.product, folder);
    bench.say(`loading ${salesRows} rows`);
    const { seconds, ownPeakMb } = await runTessera(bench.product, ['load', tableName, file, '--team', tenant]);
    return {
      what: `Load of ${salesRows.toLocaleString('en')} rows of 20 columns: time`,
      actual: `${seconds.toFixed(0)} s (${(salesRows / seconds).toFixed(0)} rows a second, command line ${ownPeakMb.toFixed(0)} MB)`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
