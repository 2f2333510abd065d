import type { TransactionOutcome } from '@tidegate/client';
import { Address } from '../../components/address.tsx';
import { Amount, Unknown } from '../../components/number.tsx';
import { FactList, type FactRow, Message } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { solOf } from '../../format/lamports.ts';
import { formatCount } from '../../format/number.ts';

type OutcomeProps = { readonly outcome: TransactionOutcome };

const titles = {
  pending: 'Pending',
  landed: 'Landed',
  failed: 'Failed',
  expired: 'Expired',
  unknown: 'Unknown',
} as const satisfies Readonly<Record<TransactionOutcome['status'], string>>;

const tones = {
  pending: 'neutral',
  landed: 'positive',
  failed: 'danger',
  expired: 'warning',
  unknown: 'warning',
} as const satisfies Readonly<Record<TransactionOutcome['status'], string>>;

/** Whether it landed, where, and what it cost. */
export const OutcomeFacts = ({ outcome }: OutcomeProps) => (
  <div class="panel-body">
    <Message tone={tones[outcome.status]} isLive>
      <p>
        <strong>{titles[outcome.status]}.</strong> {outcome.meaning}
      </p>
    </Message>
    <Failure outcome={outcome} />
    {outcome.slot !== null && <FactList rows={blockRows(outcome)} />}
    {outcome.missing !== null && <p class="weak">{outcome.missing}</p>}
  </div>
);

function Failure({ outcome: { failure } }: OutcomeProps) {
  if (failure === null) return null;
  const { program, code, name, message, action, instructionIndex } = failure;
  const origin = [
    program === null ? 'rejected by the cluster' : `program ${program}`,
    ...(code === null ? [] : [`error ${code}`]),
    ...(instructionIndex === null ? [] : [`step ${instructionIndex + 1}`]),
  ];
  return (
    <Message tone="danger">
      <p>
        <strong>{name}.</strong> {message}
      </p>
      <p class="anywhere">{action}</p>
      <p class="weak small">{origin.join(' · ')}</p>
    </Message>
  );
}

function blockRows(outcome: TransactionOutcome): FactRow[] {
  const { slot, blockTime, confirmation, feePayer, feeLamports, computeUnits } = outcome;
  return [
    { name: 'Slot', value: formatCount(slot ?? '') },
    {
      name: 'Time',
      value: blockTime === null ? <Missing /> : <Time value={blockTime} />,
    },
    {
      name: 'Block',
      hint: 'A confirmed block can still be rolled back, a finalized one cannot',
      value: confirmation ?? '',
    },
    {
      name: 'Fee',
      value: feeLamports === null ? <Missing /> : <Amount value={solOf(feeLamports)} unit="SOL" />,
    },
    {
      name: 'Paid by',
      value: feePayer === null ? <Missing /> : <Address address={feePayer} page="wallet" />,
    },
    {
      name: 'Compute units',
      value: computeUnits === null ? <Missing /> : formatCount(computeUnits),
    },
  ];
}

const Missing = () => <Unknown reason="the node does not return it" />;
