import { beforeEach, expect, it } from '@jest/globals';
import { ToastQueue } from './toast-queue.js';

let scheduled: (() => void)[];
let toasts: ToastQueue;
let told: number;
beforeEach(() => {
  scheduled = [];
  told = 0;
  toasts = new ToastQueue((act) => void scheduled.push(act));
  toasts.subscribe(() => void (told += 1));
});
const texts = () => toasts.shown().map(({ text }) => text);

it('what went well leaves by itself', () => {
  toasts.add('success', 'Saved.');
  expect(texts()).toEqual(['Saved.']);
  scheduled.forEach((act) => act());
  expect(texts()).toEqual([]);
  expect(told).toBe(2);
});

it('what did not stays until it is closed', () => {
  toasts.add('danger', 'Not saved.');
  expect(scheduled).toEqual([]);
  for (const { id } of toasts.shown()) toasts.close(id);
  expect(texts()).toEqual([]);
});

it('the oldest go when there are too many', () => {
  for (const text of ['1', '2', '3', '4', '5']) toasts.add('danger', text);
  expect(texts()).toEqual(['2', '3', '4', '5']);
});

it('who has left is not told', () => {
  let heard = 0;
  const leave = toasts.subscribe(() => void (heard += 1));
  leave();
  toasts.add('success', 'x');
  expect(heard).toBe(0);
});
