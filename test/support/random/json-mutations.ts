/** Numbers below `limit`; deterministic per seed. */
export type RandomNumbers = (limit: number) => number;

export function seededRandom(seed: number): RandomNumbers {
  let state = seed | 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** Values of the wrong type or range. */
const invalidValues: readonly unknown[] = [
  null,
  undefined,
  true,
  '',
  'x',
  '11111111111111111111111111111111',
  '99999999999999999999999999',
  -1,
  0,
  1,
  255,
  256,
  65_536,
  2 ** 53,
  1e300,
  0.5,
  Number.NaN,
  [],
  {},
  [[]],
  { InstructionError: [0, { Custom: 1 }] },
];

/** A copy of a JSON value with one difference; unchanged parts are shared. */
export function mutateJson(value: unknown, random: RandomNumbers): unknown {
  if (random(12) === 0) return invalidValues[random(invalidValues.length)];
  if (Array.isArray(value)) return mutateArray(value, random);
  if (typeof value === 'object' && value !== null) return mutateObject(value, random);
  if (typeof value === 'string') return mutateText(value, random);
  if (typeof value === 'number') return [value + 1, value - 1, -value, value * 2][random(4)];
  return invalidValues[random(invalidValues.length)];
}

function mutateArray(items: readonly unknown[], random: RandomNumbers): unknown {
  if (items.length === 0) return [invalidValues[random(invalidValues.length)]];
  const index = random(items.length);
  switch (random(12)) {
    case 0:
      return items.slice(0, index);
    case 1:
      return items.toSpliced(index, 1);
    case 2:
      return items.toSpliced(index, 0, items[random(items.length)]);
    case 3:
      return items.with(index, items[random(items.length)]);
    default:
      return items.with(index, mutateJson(items[index], random));
  }
}

function mutateObject(object: object, random: RandomNumbers): unknown {
  const entries = Object.entries(object);
  if (entries.length === 0) return invalidValues[random(invalidValues.length)];
  const index = random(entries.length);
  const [key, value] = entries[index] ?? ['', undefined];
  if (random(12) === 0) return Object.fromEntries(entries.toSpliced(index, 1));
  return { ...object, [key]: mutateJson(value, random) };
}

/** Mutates base64 byte by byte, so that most results still decode. */
function mutateText(text: string, random: RandomNumbers): string {
  if (text.length > 200 && /^[A-Za-z0-9+/]+=*$/.test(text)) {
    const bytes = Buffer.from(text, 'base64');
    if (random(4) === 0) return bytes.subarray(0, random(bytes.length)).toString('base64');
    for (let flips = random(3); flips >= 0; flips--) {
      bytes[random(bytes.length)] = random(256);
    }
    return bytes.toString('base64');
  }
  const index = random(text.length + 1);
  const letter = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0OIl+ '.charAt(
    random(64),
  );
  switch (random(3)) {
    case 0:
      return text.slice(0, index);
    case 1:
      return text.slice(0, index) + letter + text.slice(index + 1);
    default:
      return text.slice(0, index) + letter + text.slice(index);
  }
}
