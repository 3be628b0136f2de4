import { describe, expect, it } from '@jest/globals';
import { loadData } from '@tessera/contracts/knowledge-models';
import { succeed } from '@tessera/failures';
import { createContext } from '../testing/test-replicas.js';
import { callService } from './call-service.js';

const question = { operation: loadData, request: { km_id: 'p2p', arguments: { columns: ['a'] } }, subject: 'model' };

/** As many mebibytes of JSON as are read, in pieces. */
const answering = (piecesMax: number) => {
  const sent = { pieces: 0, isEnded: false };
  const body = async function* () {
    try {
      yield Buffer.from('"');
      for (; sent.pieces < piecesMax; sent.pieces++) yield Buffer.alloc(1024 * 1024, 'x');
      yield Buffer.from('"');
    } finally {
      sent.isEnded = true;
    }
  };
  const call = async () => succeed({ contentType: 'application/json', body: body() });
  return { sent, ask: () => callService({ call }, question, createContext('meridian')) };
};

describe('callService', () => {
  it('reads the whole answer', async () => {
    const result = await answering(3).ask();
    expect(result.ok && result.value.bytes).toHaveLength(3 * 1024 * 1024 + 2);
  });

  it('stops reading an answer that is too large for a tool', async () => {
    const { sent, ask } = answering(1_000);
    expect(await ask()).toMatchObject({ failure: { code: 'TOOL_ARGUMENTS_INVALID', faults: [{ rule: 'size' }] } });
    expect(sent.pieces).toBeLessThan(6);
    expect(sent.isEnded).toBe(true);
  });
});
