/** The two ways to call a model; both must give the same answer. */
import type { Failure } from '@tessera/failures';
import type { ModelRequest } from '../model.js';

export const listened = () => {
  const received: string[] = [];
  return { received, onText: (text: string) => void received.push(text) };
};

export const callModes: readonly (readonly [string, () => Partial<ModelRequest>])[] = [
  ['at once', () => ({})],
  ['in pieces', listened],
];

export const unavailable = (why: string, more: Partial<Failure> = {}) => ({
  ok: false,
  failure: { code: 'AGENT_MODEL_UNAVAILABLE', detail: `The language model ${why}.`, ...more },
});
