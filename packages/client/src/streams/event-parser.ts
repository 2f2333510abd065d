/** What a stream of server-sent events contains, as the HTML standard defines it. */
export type StreamItem =
  | {
      readonly kind: 'event';
      /** `message` if the stream does not name it. */
      readonly event: string;
      readonly id: string;
      readonly data: string;
    }
  /** The position in the stream, which the next connection continues from. */
  | { readonly kind: 'position'; readonly id: string }
  /** How long to wait before connecting again. */
  | { readonly kind: 'retry'; readonly ms: number };

type EventParser = {
  /** The items that these bytes complete. Throws a `RangeError` for an event beyond the limit. */
  readonly push: (bytes: Uint8Array) => readonly StreamItem[];
};

/** An event beyond this many characters is no answer of the API. */
const MAX_EVENT_LENGTH = 32 * 1024 * 1024;

/** Reads a stream of events in chunks of any size: a chunk can end within a line, or within a character. */
export function createEventParser(maxLength = MAX_EVENT_LENGTH): EventParser {
  const decoder = new TextDecoder();
  const fields = createFieldReader();
  let line = '';
  let endsWithReturn = false;
  return {
    push: (bytes) => {
      let text = decoder.decode(bytes, { stream: true });
      if (text === '') return [];
      // the two characters of a line end can be in different chunks
      if (endsWithReturn && text.startsWith('\n')) text = text.slice(1);
      endsWithReturn = text.endsWith('\r');
      const lines = text.split(/\r\n|\n|\r/);
      const items: StreamItem[] = [];
      for (const [index, part] of lines.entries()) {
        line += part;
        if (line.length + fields.length() > maxLength) {
          throw new RangeError(`An event has more than ${maxLength} characters.`);
        }
        if (index === lines.length - 1) break;
        items.push(...fields.read(line));
        line = '';
      }
      return items;
    },
  };
}

type FieldReader = {
  readonly read: (line: string) => readonly StreamItem[];
  /** Characters of the event that is not complete. */
  readonly length: () => number;
};

function createFieldReader(): FieldReader {
  let event = '';
  let data: string[] = [];
  let id = '';
  let position = '';
  let length = 0;
  const endEvent = (): StreamItem[] => {
    const items: StreamItem[] = [];
    if (data.length > 0) {
      items.push({ kind: 'event', event: event || 'message', id, data: data.join('\n') });
    } else if (id !== position) items.push({ kind: 'position', id });
    position = id;
    event = '';
    data = [];
    length = 0;
    return items;
  };
  return {
    length: () => length,
    read: (line) => {
      if (line === '') return endEvent();
      const colon = line.indexOf(':');
      // a comment, such as a heartbeat
      if (colon === 0) return [];
      length += line.length;
      const name = colon === -1 ? line : line.slice(0, colon);
      const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (name === 'data') data.push(value);
      else if (name === 'event') event = value;
      else if (name === 'id' && !value.includes('\0')) id = value;
      else if (name === 'retry' && /^\d{1,9}$/.test(value)) {
        return [{ kind: 'retry', ms: Number(value) }];
      }
      return [];
    },
  };
}
