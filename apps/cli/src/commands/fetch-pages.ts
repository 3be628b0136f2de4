import type { Answer } from '../gateway/gateway.js';

const pageMax = 1000;

type Page<Entry> = { readonly entries: readonly Entry[]; readonly next: string | undefined };

export const fetchPages = async <Entry>(
  limit: number,
  fetchPage: (asked: { readonly pageSize: number; readonly after: string | undefined }) => Promise<Answer<Page<Entry>>>,
): Promise<Answer<readonly Entry[]>> => {
  const entries: Entry[] = [];
  let after: string | undefined;
  do {
    const answer = await fetchPage({ pageSize: Math.min(pageMax, limit - entries.length), after });
    if (!answer.ok) return answer;
    entries.push(...answer.value.entries);
    after = answer.value.next;
  } while (after !== undefined && entries.length < limit);
  return { ok: true, value: entries };
};
