import { expect, it } from '@jest/globals';
import { CallError } from '../../api/failures.js';
import { endSessions } from './end-sessions.js';

const refused = (status: number): CallError =>
  new CallError({ kind: 'refused', status, code: '', title: '', detail: 'No.', faults: [] });

it('sessions are ended in their order, also when one has ended meanwhile', async () => {
  const ended: string[] = [];
  const end = async (id: string): Promise<void> => {
    ended.push(id);
    if (id === 'b') throw refused(404);
  };
  expect(await endSessions(['a', 'b', 'c'], end)).toBe(3);
  expect(ended).toEqual(['a', 'b', 'c']);
});

it('any other failure stops it and is told', async () => {
  const ended: string[] = [];
  const end = async (id: string): Promise<void> => {
    ended.push(id);
    throw refused(503);
  };
  await expect(endSessions(['a', 'b'], end)).rejects.toThrow('No.');
  expect(ended).toEqual(['a']);
});
