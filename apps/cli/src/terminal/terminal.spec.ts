import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { formatTable } from './format.js';
import { openTerminal } from './terminal.js';

const openOn = (isTTY: boolean) => {
  let text = '';
  const stream = Object.assign(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        text += chunk.toString();
        done();
      },
    }),
    // What a terminal has beside a stream, as far as a bar uses it.
    { isTTY, columns: 80, cursorTo: () => true, clearLine: () => true, moveCursor: () => true },
  );
  return { terminal: openTerminal(stream, stream), text: () => text };
};

describe('the progress bar', () => {
  it('is shown on a terminal', () => {
    const { terminal, text } = openOn(true);
    const bar = terminal.openBar('trial/house', 4);
    bar.advance(3);
    bar.close();
    bar.close();
    expect(text()).toContain('trial/house');
    expect(text()).toContain('3/4 75 %');
  });

  it('is not shown without a terminal, or when there is nothing to do', () => {
    const silent = openOn(false);
    silent.terminal.openBar('x', 4).advance(1);
    const empty = openOn(true);
    empty.terminal.openBar('x', 0).advance(1);
    expect(silent.text() + empty.text()).toBe('');
  });
});

describe('printed text', () => {
  const text = 'rate\t4 %\n\u001b[2J\u001b]0;owned\u0007\u009b2J\rgone';

  it('has control characters replaced on a terminal', () => {
    const { terminal, text: shown } = openOn(true);
    terminal.write(text);
    expect(shown()).toBe('rate\t4 %\n\ufffd[2J\ufffd]0;owned\ufffd\ufffd2J\ufffdgone');
  });

  it('is unchanged without a terminal', () => {
    const { terminal, text: written } = openOn(false);
    terminal.write(text);
    expect(written()).toBe(text);
  });
});

describe('a printed table', () => {
  it('has columns as wide as their widest cell and no trailing blanks', () => {
    expect(formatTable(['A', 'LONG'], [['xyz', 'b'], ['c']])).toEqual(['A    LONG', 'xyz  b', 'c']);
  });
});
