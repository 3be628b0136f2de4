/** Loads of a file, with a server that answers what each test says. */
import { describe, expect, it } from '@jest/globals';
import { CallError, type CallFault } from '../../../api/failures.js';
import { rowFaultsOf, runLoad, type LoadContext, type LoadPlan, type LoadProgress } from './run-load.js';

const refusedRows = (...faults: readonly (readonly [path: string, message: string])[]): CallError =>
  new CallError({
    ...{ kind: 'refused', status: 400, code: 'GENERAL_CONSTRAINT_VIOLATION', title: '', detail: 'They do not fit.' },
    faults: faults.map(([path, message]): CallFault => ({ in: 'rows', path, message })),
  });
const conflict = new CallError({ kind: 'refused', status: 409, code: '', title: '', detail: 'Committed.', faults: [] });

type Sent = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
type Answers = Partial<Readonly<Record<string, (input: Sent['input'], signal?: AbortSignal) => unknown>>>;

const usual: Answers = {
  beginLoad: () => ({ loadId: 'l1', state: 'loading', rows: 0 }),
  stageRows: ({ batch }) => ({ rows: (batch as { text: string }).text.split('\n').length - 1 }),
  commitLoad: () => ({ loadId: 'l1', state: 'committed', rows: 7, dataVersion: 3 }),
  cancelLoad: () => ({ loadId: 'l1' }),
};

const serve = (answers: Answers = {}) => {
  const sent: Sent[] = [];
  const progress: LoadProgress[] = [];
  const controller = new AbortController();
  const call = async (name: string, input: Sent['input'], { signal }: { signal?: AbortSignal } = {}) => {
    sent.push({ name, input });
    await Promise.resolve();
    return (answers[name] ?? usual[name])?.(input, signal);
  };
  const context: LoadContext = {
    call: call as LoadContext['call'],
    signal: controller.signal,
    onProgress: (each) => void progress.push(each),
    wait: () => Promise.resolve(),
  };
  return { context, controller, sent, progress, names: () => sent.map(({ name }) => name) };
};

const plan = (text: string, rest: Partial<LoadPlan> = {}): LoadPlan => ({
  ...{ team: 'meridian', schema: 'p2p', table: 'item', begin: { format: 'csv', columns: ['a', 'b'] } },
  ...{ file: new Blob([text]), encoding: 'utf-8', hasHeader: true, corrections: new Map() },
  ...rest,
});
const batchesIn = (sent: readonly Sent[]) =>
  sent.filter(({ name }) => name === 'stageRows').map(({ input }) => input['batch'] as Record<string, unknown>);

describe('a load', () => {
  it('begins, sends the rows without the header, and commits them', async () => {
    const { context, sent, progress } = serve();
    expect(await runLoad(plan('a,b\n1,2\n3,4\n'), context)).toEqual({
      ...{ kind: 'committed', sentRows: 2 },
      status: { loadId: 'l1', state: 'committed', rows: 7, dataVersion: 3 },
    });
    const key = { team: 'meridian', schema: 'p2p', table: 'item', loadId: 'l1' };
    expect(sent).toEqual([
      { name: 'beginLoad', input: expect.objectContaining({ table: 'item', idempotencyKey: expect.any(String) }) },
      { name: 'stageRows', input: { ...key, batch: { ordinal: 0, firstLine: 2, text: '1,2\n3,4\n' } } },
      { name: 'commitLoad', input: { ...key, commit: { batches: 1 } } },
    ]);
    expect(progress).toEqual([
      { phase: 'sending', bytes: 12, rows: 2 },
      { phase: 'committing', bytes: 12, rows: 2 },
    ]);
  });

  it('sends a large file in batches, each with its line, and a few at once', async () => {
    let [waiting, most] = [0, 0];
    const stageRows: Answers[string] = async (input) => {
      most = Math.max(most, ++waiting);
      await new Promise((resolve) => setTimeout(resolve, 2));
      waiting -= 1;
      return usual['stageRows']?.(input);
    };
    const { context, sent } = serve({ stageRows });
    const outcome = await runLoad(plan(`a,b\n${'1,xxxxxxxxxxxxxxxx\n'.repeat(250_000)}`), context);
    expect(outcome).toMatchObject({ kind: 'committed', sentRows: 250_000 });
    const batches = batchesIn(sent);
    expect(batches.length).toBeGreaterThan(5);
    expect(batches.map(({ ordinal }) => ordinal)).toEqual(batches.map((_, at) => at));
    expect(batches[1]?.['firstLine']).toBe(2 + String(batches[0]?.['text']).split('\n').length - 1);
    expect(most).toBe(3);
    expect(sent.at(-1)?.input['commit']).toEqual({ batches: batches.length });
  });

  it('sends corrected lines in place of those of the file', async () => {
    const { context, sent } = serve();
    await runLoad(plan('a,b\n1,2\nx,y\n', { corrections: new Map([[3, '3,4']]) }), context);
    expect(batchesIn(sent)[0]?.['text']).toBe('1,2\n3,4\n');
  });

  it('of no rows empties the table', async () => {
    const { context, names } = serve();
    expect(await runLoad(plan('a,b\n'), context)).toMatchObject({ kind: 'committed', sentRows: 0 });
    expect(names()).toEqual(['beginLoad', 'commitLoad']);
  });

  it('asks until its commit is done', async () => {
    let asked = 0;
    const commitLoad = () => (++asked < 3 ? { state: 'committing', rows: 1 } : { state: 'committed', rows: 1 });
    const { context } = serve({ commitLoad });
    expect(await runLoad(plan('a\n1\n'), context)).toMatchObject({ kind: 'committed' });
    expect(asked).toBe(3);
  });
});

describe('a load that does not fit', () => {
  it('says each fault with its line, and the text of the line; it is kept as refused', async () => {
    const stageRows = () => {
      throw refusedRows(['3.b', '"x" is not a number'], ['4', 'expected 2 values, got 1']);
    };
    const { context, names } = serve({ stageRows });
    expect(await runLoad(plan('a,b\n1,2\n3,x\n5\n'), context)).toEqual({
      kind: 'faults',
      faults: [
        { line: 3, column: 'b', message: '"x" is not a number' },
        { line: 4, message: 'expected 2 values, got 1' },
      ],
      lines: new Map([
        [3, '3,x'],
        [4, '5'],
      ]),
      isPartial: false,
    });
    expect(names()).toEqual(['beginLoad', 'stageRows']);
  });

  it('has the lines of the batch that is at fault, whichever answer comes first', async () => {
    const stageRows: Answers[string] = async ({ batch }) => {
      const { ordinal } = batch as { ordinal: number };
      await new Promise((resolve) => setTimeout(resolve, ordinal === 1 ? 4 : 0));
      if (ordinal === 0) return { rows: 1 };
      throw refusedRows([
        String((batch as { firstLine: number }).firstLine * (ordinal === 1 ? 1 : 0) || 50_000),
        'bad',
      ]);
    };
    const { context } = serve({ stageRows });
    const outcome = await runLoad(plan(`a\n${'xxxxxxxxxxxxxxxx\n'.repeat(150_000)}`), context);
    if (outcome.kind !== 'faults') throw new Error('expected faults');
    expect([[...outcome.lines.values()], outcome.isPartial]).toEqual([['xxxxxxxxxxxxxxxx'], true]);
  });

  it('at the commit, has the faults without lines', async () => {
    for (const commitLoad of [
      () => ({ state: 'refused', rows: 1, faults: [{ message: 'a key is there twice' }] }),
      () => {
        throw refusedRows(['', 'a key is there twice']);
      },
    ]) {
      const { context } = serve({ commitLoad });
      expect(await runLoad(plan('a\n1\n'), context)).toEqual({
        ...{ kind: 'faults', faults: [{ message: 'a key is there twice' }], lines: new Map(), isPartial: false },
      });
    }
  });

  it('is cancelled for what is wrong with the file itself', async () => {
    const { context, names } = serve();
    expect(await runLoad(plan('a\n"1\n'), context)).toEqual({
      ...{ kind: 'file', fault: { kind: 'fault', line: 2, fault: 'unclosedQuote' } },
    });
    expect(names()).toEqual(['beginLoad', 'cancelLoad']);
  });
});

describe('a load that fails', () => {
  it('throws why, and is cancelled', async () => {
    const stageRows = () => {
      throw conflict;
    };
    const { context, names } = serve({ stageRows });
    await expect(runLoad(plan('a\n1\n'), context)).rejects.toBe(conflict);
    expect(names()).toEqual(['beginLoad', 'stageRows', 'cancelLoad']);
  });

  it('that did not begin has nothing to cancel', async () => {
    const beginLoad = () => {
      throw conflict;
    };
    const { context, names } = serve({ beginLoad });
    await expect(runLoad(plan('a\n1\n'), context)).rejects.toBe(conflict);
    expect(names()).toEqual(['beginLoad']);
  });

  it('sends again what got no answer', async () => {
    let attempts = 0;
    const stageRows: Answers[string] = (input) => {
      if (++attempts === 1) throw new CallError({ kind: 'unreachable' });
      return usual['stageRows']?.(input);
    };
    const { context, sent } = serve({ stageRows });
    expect(await runLoad(plan('a\n1\n'), context)).toMatchObject({ kind: 'committed', sentRows: 1 });
    expect(batchesIn(sent).map(({ ordinal }) => ordinal)).toEqual([0, 0]);
  });

  it('because somebody left is cancelled by a request of its own', async () => {
    const serving = serve({
      stageRows: () => {
        serving.controller.abort(new Error('left'));
        throw serving.controller.signal.reason;
      },
    });
    await expect(runLoad(plan('a\n1\n'), serving.context)).rejects.toThrow('left');
    expect(serving.names()).toEqual(['beginLoad', 'stageRows', 'cancelLoad']);
  });

  it('throws its own reason when it cannot be cancelled either', async () => {
    const fail = () => {
      throw conflict;
    };
    const { context } = serve({ commitLoad: fail, cancelLoad: () => Promise.reject(new Error('gone')) });
    await expect(runLoad(plan('a\n1\n'), context)).rejects.toBe(conflict);
  });
});

it('faults of rows are told apart from other faults', () => {
  const mixed = new CallError({
    ...{ kind: 'refused', status: 400, code: '', title: '', detail: '' },
    faults: [
      { in: 'body', path: 'columns.0', message: 'unknown' },
      { in: 'rows', path: '12', message: 'short' },
      { in: 'rows', path: 'net_amount', message: 'odd' },
    ],
  });
  expect(rowFaultsOf(mixed)).toEqual([
    { line: 12, message: 'short' },
    { column: 'net_amount', message: 'odd' },
  ]);
  expect(rowFaultsOf(new Error('x'))).toEqual([]);
});
