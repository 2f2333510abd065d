import { Type } from 'typebox';

const text = { anyOf: [{ type: 'string' }, { type: 'number' }] };

const FORMS =
  'A date like 2024-01-31 or 2024-01-31T12:00:00Z, UTC if it names no zone, or epoch milliseconds';

/** Of a query, where everything is text. What it says is checked where it is read, which can say what to change. */
export const StartString = Type.Unsafe<string>({
  ...text,
  default: '1970-01-01T00:00:00.000Z',
  description: `${FORMS}; inclusive`,
});

/** A start that, left out, means something else than the beginning of everything. */
export const OptionalStartString = Type.Unsafe<string>({
  ...text,
  description: `${FORMS}; inclusive`,
});

export const EndString = Type.Unsafe<string>({ ...text, description: `${FORMS}; exclusive` });
