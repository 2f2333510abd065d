/** An event of a stream. */
export type ServerEvent = { readonly event: string; readonly data: string };

/** Parses server-sent events from the bytes of a response. Comments, ids and retry times are skipped. */
export class EventReader {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #event = '';
  #data: string[] = [];

  /** The events that are complete with these bytes. */
  read(bytes: Uint8Array): ServerEvent[] {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#readLine(line.replace(/\r$/, '')));
  }

  #readLine(line: string): ServerEvent[] {
    if (line === '') return this.#complete();
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') this.#event = value;
    if (field === 'data') this.#data.push(value);
    return [];
  }

  #complete(): ServerEvent[] {
    const event = { event: this.#event || 'message', data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return isEmpty ? [] : [event];
  }
}
