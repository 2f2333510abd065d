import { Type } from 'typebox';

const instant = { anyOf: [{ type: 'string' }, { type: 'number' }] };

const FORMATS =
  'Date such as 2024-01-31 or 2024-01-31T12:00:00Z (default time zone: UTC), or epoch milliseconds';

/** The handler validates the format, because its message suggests a correction. */
export const StartString = Type.Unsafe<string>({
  ...instant,
  default: '1970-01-01T00:00:00.000Z',
  description: `${FORMATS}; inclusive`,
});

/** A start whose default is not 1970. */
export const OptionalStartString = Type.Unsafe<string>({
  ...instant,
  description: `${FORMATS}; inclusive`,
});

export const EndString = Type.Unsafe<string>({ ...instant, description: `${FORMATS}; exclusive` });
