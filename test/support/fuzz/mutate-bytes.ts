import type { RandomNumbers } from '../random/json-mutations.ts';

/** Pieces that matter to parsers of HTTP and JSON. */
const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  ':',
  '%',
  '0',
  '-1',
  'ffffffff',
  '"',
  '{',
  '[',
  '\xff\xfe',
  '\r\n\r\n',
];

/** Changes, inserts, removes or repeats some bytes, and sometimes removes the end. */
export function mutateBytes(text: string, random: RandomNumbers): Buffer {
  let bytes = Buffer.from(text, 'latin1');
  for (let times = random(4); times >= 0; times--) bytes = mutateOnce(bytes, random);
  return random(4) === 0 ? bytes.subarray(0, random(bytes.length + 1)) : bytes;
}

function mutateOnce(bytes: Buffer<ArrayBuffer>, random: RandomNumbers): Buffer<ArrayBuffer> {
  const at = random(bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (random(4)) {
    case 0:
      return Buffer.concat([before, Buffer.of(random(256)), after.subarray(1)]);
    case 1:
      return Buffer.concat([
        before,
        Buffer.from(PIECES[random(PIECES.length)] ?? '', 'latin1'),
        after,
      ]);
    case 2:
      return Buffer.concat([before, after.subarray(random(20))]);
    default:
      return Buffer.concat([before, after.subarray(0, random(40)), after]);
  }
}
