/** Files of a build compressed once, as well as can be: the gateway sends what is there. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const compressible = /\.(?:js|css|html|svg|json|md)$/;
/** Below it a compressed form saves no packet. */
const bytesMin = 1_000;

/** Writes `FILE.br` and `FILE.gz` beside each file of text below `folder` that they are smaller than. */
export const compressFolder = (folder) => {
  for (const file of readdirSync(folder, { recursive: true })) {
    if (!compressible.test(file) || file.startsWith('.')) continue;
    const content = readFileSync(join(folder, file));
    if (content.length < bytesMin) continue;
    const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
    writeFileSync(join(folder, `${file}.br`), brotli);
    writeFileSync(join(folder, `${file}.gz`), gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
  }
};
