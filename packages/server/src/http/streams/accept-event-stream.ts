import type { IncomingHttpHeaders } from 'node:http';
import { qualityOf } from '../media-quality.ts';

export const EVENT_STREAM = 'text/event-stream';

/** Whether the client prefers a stream to JSON. A client that accepts both alike gets JSON, as do those that name neither. */
export function prefersEventStream({ accept }: IncomingHttpHeaders): boolean {
  if (accept === undefined || !/text\/event-stream/i.test(accept)) return false;
  const stream = qualityOf(accept, EVENT_STREAM);
  return stream > 0 && stream > qualityOf(accept, 'application/json');
}
