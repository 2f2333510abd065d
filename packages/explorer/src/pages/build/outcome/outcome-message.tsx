import { Amount } from '../../../components/number.tsx';
import { Message } from '../../../components/panel.tsx';
import { solOf } from '../../../format/lamports.ts';
import { formatCount } from '../../../format/number.ts';
import { formatDuration } from '../../../format/time.ts';
import type { Outcome } from './outcome.ts';

type OutcomeMessageProps = {
  readonly outcome: Outcome;
  /** False if the wallet signed and did not send. */
  readonly isSent: boolean;
};

/** What became of a transaction, in words that are announced when they change. */
export function OutcomeMessage({ outcome, isSent }: OutcomeMessageProps) {
  switch (outcome.kind) {
    case 'pending':
      return <Pending outcome={outcome} isSent={isSent} />;
    case 'landed':
      return <Landed outcome={outcome} />;
    case 'failed':
      return <Failed outcome={outcome} />;
    case 'expired':
      return (
        <Message tone="warning" isLive>
          <p>
            <strong>It expired. Nothing was taken.</strong> No block has the transaction, and none
            accepts it any more. Build it again, with fresh figures.
          </p>
        </Message>
      );
    case 'unknown':
      return (
        <Message tone="warning" isLive>
          <p>
            <strong>It cannot be told what became of it.</strong> {outcome.meaning} Look at the
            position before you build it again.
          </p>
        </Message>
      );
  }
}

type Of<Kind extends Outcome['kind']> = {
  readonly outcome: Extract<Outcome, { readonly kind: Kind }>;
};

/** The time is not announced, because it changes all the time. */
const Pending = ({ outcome, isSent }: Of<'pending'> & Pick<OutcomeMessageProps, 'isSent'>) => (
  <>
    <Message tone="neutral" isLive>
      <p>
        <strong>{pendingTitle(outcome, isSent)}</strong>
        {outcome.problem !== undefined && <> Asking again: {outcome.problem}</>}
      </p>
    </Message>
    {outcome.remainingMs !== undefined && (
      <p class="weak small">
        It can land for about {formatDuration(outcome.remainingMs)} more. After that it expires, and
        nothing is taken.
      </p>
    )}
  </>
);

function pendingTitle({ isSeen }: Of<'pending'>['outcome'], isSent: boolean): string {
  if (isSeen) return 'A block has it. Waiting until the cluster confirms the block.';
  return isSent
    ? 'Sent. Waiting for a block that has it.'
    : 'Signed and not sent. Waiting for a block that has it.';
}

const Landed = ({ outcome: { details, isFinal } }: Of<'landed'>) => (
  <Message tone="positive" isLive>
    <p>
      <strong>It landed in slot {formatCount(details.slot ?? '')}.</strong>{' '}
      {!isFinal && 'The block is confirmed and not final yet.'}
    </p>
  </Message>
);

const Failed = ({ outcome: { details, isFinal } }: Of<'failed'>) => {
  const { failure, feeLamports, slot } = details;
  return (
    <Message tone="danger" isLive>
      <p>
        <strong>
          It failed in slot {formatCount(slot ?? '')}
          {failure !== null && `: ${failure.name}`}.
        </strong>{' '}
        {failure?.message}
      </p>
      <p>
        Nothing was changed; the fee
        {feeLamports !== null && (
          <>
            {' '}
            of <Amount value={solOf(feeLamports)} unit="SOL" />
          </>
        )}{' '}
        was taken. {!isFinal && 'The block is confirmed and not final yet.'}
      </p>
      {failure !== null && <p class="anywhere">{failure.action}</p>}
    </Message>
  );
};
