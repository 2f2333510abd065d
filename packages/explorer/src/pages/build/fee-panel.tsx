import { useRef } from 'preact/hooks';
import { Amount, Usd } from '../../components/number.tsx';
import { Message, Panel } from '../../components/panel.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { formatAmount, formatCount } from '../../format/number.ts';
import type { FeeChoice, FeeOffer } from './priority-fee.ts';

type FeePanelProps = {
  /** Undefined while it is read, and if no prices are known. */
  readonly offer: FeeOffer | undefined;
  /** Why the chosen fee cannot be set. */
  readonly problem: string | undefined;
  readonly isReading: boolean;
  readonly choice: FeeChoice;
  readonly onChoice: (choice: FeeChoice) => void;
};

/** What to pay for landing soon. */
export function FeePanel({ offer, problem, isReading, choice, onChoice }: FeePanelProps) {
  // another choice builds again: the prices stay until the new ones are there
  const last = useRef(offer);
  if (offer !== undefined || !isReading) last.current = offer;
  const shown = last.current;
  if (shown === undefined) {
    return isReading ? null : (
      <Panel title="Priority fee">
        <p class="weak">
          The node has no recent prices, so no priority fee is set. A wallet can add one.
        </p>
      </Panel>
    );
  }
  if (shown.levels.every(({ computeUnitPrice }) => computeUnitPrice === '0')) {
    return (
      <Panel title="Priority fee">
        <p class="weak">
          Recent transactions that write the same accounts paid no priority fee, so none is set.
        </p>
      </Panel>
    );
  }
  const chosen = shown.levels.find(({ name }) => name === choice);
  return (
    <Panel title="Priority fee">
      <div class="build-actions">
        <Tabs
          label="Priority fee"
          tabs={FEE_ORDER.map((value) => ({ value, title: titleOf(value, shown) }))}
          value={choice}
          onChange={onChoice}
        />
      </div>
      {problem !== undefined && (
        <Message tone="warning">
          <p>
            <strong>Without this priority fee.</strong> {problem}
          </p>
        </Message>
      )}
      <p>
        {chosen === undefined ? (
          'No priority fee: it lands when blocks have room.'
        ) : (
          <>
            <Amount value={chosen.sol} unit="SOL" />,{' '}
            <Usd value={chosen.usd} reason="SOL has no price" />: enough in {chosen.percentile} % of
            the last {formatCount(String(shown.slots))} slots, for the accounts that this
            transaction writes and {formatCount(String(shown.unitLimit))} compute units.
          </>
        )}
      </p>
    </Panel>
  );
}

const FEE_ORDER = ['none', 'normal', 'fast', 'urgent'] as const satisfies readonly FeeChoice[];

const names = { none: 'None', normal: 'Normal', fast: 'Fast', urgent: 'Urgent' } as const;

function titleOf(choice: FeeChoice, { levels }: FeeOffer): string {
  const level = levels.find(({ name }) => name === choice);
  return level === undefined
    ? names[choice]
    : `${names[choice]} · ${formatAmount(level.sol, 'SOL').short}`;
}
