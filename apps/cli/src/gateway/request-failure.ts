/**
 * Why a request failed (no connection, an error answer, an unreadable answer), and the lines that say so. Never shows a
 * key; its id may be shown.
 */
import type { Fault } from '@tessera/failures';
import type { KeySetting, Setting } from '../configuration.js';

export type RequestFailure =
  | { readonly kind: 'unset'; readonly setting: 'GATEWAY_URL' | KeySetting; readonly environmentFile: string }
  | { readonly kind: 'away'; readonly gatewayUrl: Setting; readonly cause: string }
  | { readonly kind: 'refused'; readonly problem: Problem; readonly key: Setting }
  | { readonly kind: 'interrupted' };

export type Problem = {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly next?: string;
  readonly faults: readonly Fault[];
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
};

export const formatFailureLines = (refusal: RequestFailure): readonly string[] => {
  switch (refusal.kind) {
    case 'unset':
      return [
        `${refusal.setting} is not set, and ${refusal.environmentFile} does not hold it.`,
        'Start the product with "npm start", which writes that file, or set it in the environment.',
      ];
    case 'away':
      return [
        `The gateway at ${refusal.gatewayUrl.value} (${refusal.gatewayUrl.origin}) cannot be reached: ${refusal.cause}.`,
        'Start it with "npm start", or set GATEWAY_URL to where it is.',
      ];
    case 'refused':
      return [...problemLines(refusal.problem), ...keyLines(refusal)];
    case 'interrupted':
      return ['Interrupted.'];
  }
};

const problemLines = ({ title, detail, next, requestId }: Problem): readonly string[] => [
  `${title}: ${detail}`,
  ...(next === undefined ? [] : [next]),
  ...(requestId === undefined ? [] : [`Request id: ${requestId}`]),
];

const keyLines = ({ problem, key }: Extract<RequestFailure, { kind: 'refused' }>): readonly string[] =>
  problem.status === 401 || problem.status === 403 ? [`The credential was ${credentialName(key)}.`] : [];

const credentialName = ({ value, origin }: Setting): string => {
  const [, keyId] = /^tsk_([0-9A-Za-z]+)_/.exec(value) ?? [];
  return keyId === undefined ? origin : `${origin} (key ${keyId})`;
};
