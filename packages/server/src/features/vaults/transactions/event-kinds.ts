import { CodedError } from '@tidegate/core/base';
import { vaultEventInstructions } from '@tidegate/core/views/transactions';
import { vaultEventKinds } from '../../../history/event-kinds.ts';

/** Event kinds of an instruction. `investIn` and `investOut` are events of the same instruction. */
export function parseEventKinds(instruction: string): readonly number[] {
  const kinds = vaultEventKinds.flatMap((kind, i) =>
    vaultEventInstructions[kind] === instruction ? [i] : [],
  );
  if (kinds.length > 0) return kinds;
  const options = [...new Set(Object.values(vaultEventInstructions))];
  const message = `instruction must be one of ${options.join(', ')}`;
  const issue = { path: ['instruction'], code: 'invalid_value', message, options };
  throw new CodedError('INVALID_BODY', { issues: [issue] });
}
