/** One event of a stream. `data` is JSON or another text. */
type StreamEvent = {
  /** What `last-event-id` says after this event; unchanged if omitted. */
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
};

/** A comment, which clients skip. */
export const HEARTBEAT = Buffer.from(': heartbeat\n\n');

/** The format of server-sent events (WHATWG HTML, 9.2.6). A line break in `data` begins another data line. */
export function formatEvent({ id, event, data }: StreamEvent): Buffer {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`)),
  ];
  return Buffer.from(`${lines.join('\n')}\n\n`);
}
