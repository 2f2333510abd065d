import { unknownEffects } from '@tidegate/core/state';
import { type Static, Type } from 'typebox';
import type { UnprovenKindsReader, UnprovenReason } from '../../clusters/unproven-kinds.ts';
import { describe } from '../../http/schemas/describe.ts';
import { DecimalString, NullableString } from '../../http/schemas/primitives.ts';

export const UnprovenKindStatus = Type.Object({
  kind: Type.String({ description: 'Kind of accounts' }),
  code: Type.Unsafe<UnprovenReason['code']>({
    type: 'string',
    enum: [
      'unknownBytes',
      'unknownValue',
      'proofDiffers',
      'upgradedProgram',
      'unconfirmedAbsence',
      'lateUpdates',
      'stateDrift',
      'sourcesDiffer',
      'sumsDiffer',
    ],
    description:
      '`unknownBytes`: reserved bytes are set; `unknownValue`: a field has a value that this version does not know; `proofDiffers`: a transaction left other bytes than the operations of this server; `upgradedProgram`: the program is not the one that is modelled; `unconfirmedAbsence`: a node did not return an account, which is served as it was, because no second read confirmed that it is closed; `lateUpdates`: updates arrived after their slot counted as complete, so others may be missing; `stateDrift`: updates of such accounts were lost, and not all have been compared with the chain since; `sourcesDiffer`: endpoints return different accounts, or one that returned wrong ones was set aside and not all accounts have been compared since; `sumsDiffer`: the sum over all such accounts is not what the program counts, so some may be missing or wrong',
  }),
  detail: Type.String({ description: 'The account and the byte, or the instruction' }),
  since: describe(DecimalString, 'Slot in which it was first seen'),
  meaning: describe(
    NullableString,
    'What unknown bytes of this kind could decide; null for the other codes',
  ),
});

/** Why figures may differ from those of the programs. */
export const unprovenKindsJson = (
  unproven: UnprovenKindsReader | undefined,
): Static<typeof UnprovenKindStatus>[] =>
  (unproven?.reasons() ?? []).map(({ kind, code, detail, since }) => ({
    kind,
    code,
    detail,
    since: `${since}`,
    meaning: isUnknown(code) ? meaningOf(kind) : null,
  }));

const isUnknown = (code: UnprovenReason['code']): boolean =>
  code === 'unknownBytes' || code === 'unknownValue';

const meaningOf = (kind: string): string | null =>
  Object.entries(unknownEffects).find(([name]) => name === kind)?.[1].meaning ?? null;
