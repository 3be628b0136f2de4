/** Server-sent events as they come from a body (the format of HTML; `id` and `retry` are of no use here). */

export type StreamEvent = { readonly event: string; readonly data: unknown };

/** A line or an event that is longer is no event of ours. */
const lengthMax = 32 * 1024 * 1024;

/** Lines end with LF, CR or CRLF; a CR at the end of a piece may be half of one. */
const lineEnd = /\r\n|\n|\r(?!$)/;

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = `${rest}${piece}`.split(lineEnd);
    rest = lines.pop() ?? '';
    if (rest.length > lengthMax) throw new TypeError('The stream has a line without an end.');
    yield* lines;
  }
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let isRead = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isRead = done;
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // Who stops listening leaves the connection too; one that has ended ends by itself.
    if (!isRead) await reader.cancel();
  }
}

/** Yields each event whose data is JSON; throws a TypeError when its data is something else. An unfinished event is none. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let event = '';
  let data: string[] = [];
  for await (const line of linesOf(piecesOf(body))) {
    if (line === '') {
      if (data.length > 0) yield { event: event === '' ? 'message' : event, data: parse(data.join('\n')) };
      [event, data] = ['', []];
      continue;
    }
    const [, field = '', value = ''] = /^([^:]*):? ?([^]*)$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError('The data of an event is no JSON.', { cause: error });
  }
};
