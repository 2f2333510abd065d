import { type Static, Type } from 'typebox';
import type { SourceCheckStatus } from '../../clusters/cluster-status.ts';
import { describe } from '../../http/schemas/describe.ts';
import { NullableString } from '../../http/schemas/primitives.ts';

export const CheckStatus = Type.Object(
  {
    confirmedAbsences: Type.Integer({
      description: 'Accounts that two reads did not return, so that they count as closed',
    }),
    refutedAbsences: Type.Integer({
      description: 'Accounts that a read left out, although they exist: the node is faulty',
    }),
    unconfirmedAbsences: Type.Integer({
      description:
        'Accounts that a read left out and that are served as they were, because further reads contradict each other; answers of their kind have the header x-unproven',
    }),
    lateUpdates: Type.Integer({
      description: 'Updates that arrived after their slot counted as complete',
    }),
    delayMs: Type.Integer({
      description: 'How long announced slots wait for late updates, in milliseconds',
    }),
    completeTo: describe(
      NullableString,
      'After late updates, the newest slot that is known to be complete; null if that of the state is',
    ),
    comparedAccounts: Type.Integer({
      description: 'Accounts that were read from each endpoint and compared',
    }),
    wrongAccounts: Type.Integer({
      description:
        'Of these, accounts that an endpoint returned otherwise than a majority of the sources: it is set aside',
    }),
    disputedAccounts: Type.Integer({
      description:
        'Accounts of which it is not known which source is right; answers of their kind have the header x-unproven',
    }),
  },
  { description: 'Checks of what the nodes say; counts are since the start' },
);

/** A process that does not follow the cluster itself has nothing to check. */
export const checkStatusJson = ({
  confirmedAbsences = 0,
  refutedAbsences = 0,
  unconfirmedAbsences = 0,
  lateUpdates = 0,
  delayMs = 0,
  completeTo,
  comparedAccounts = 0,
  wrongAccounts = 0,
  disputedAccounts = 0,
}: Partial<SourceCheckStatus> = {}): Static<typeof CheckStatus> => ({
  confirmedAbsences,
  refutedAbsences,
  unconfirmedAbsences,
  lateUpdates,
  delayMs,
  completeTo: completeTo?.toString() ?? null,
  comparedAccounts,
  wrongAccounts,
  disputedAccounts,
});
