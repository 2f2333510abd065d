import type { ApiError, DecodedTransaction, FailureFigures, PreviewError } from '@tidegate/client';
import { describeOrigin } from '../../api/failure.ts';
import { Address } from '../../components/address.tsx';
import { Amount, Usd } from '../../components/number.tsx';
import { FactList, type FactRow, Message } from '../../components/panel.tsx';
import type { ActionName } from '../../routing/build-fields.ts';
import { actions } from './actions.ts';
import { remedyFor } from './rejections.ts';

type Help = {
  /** Changes the amount and checks again. */
  readonly onAmount: (amount: string) => void;
  readonly onAction: (action: ActionName) => void;
};

export type RejectionProps = Help & { readonly error: ApiError };

/** The builder builds no transaction: why, and what would make it possible. */
export function Rejection({ error, onAction }: RejectionProps) {
  const { text, action } = remedyFor(error);
  return (
    <>
      <Message tone="danger" isLive>
        <p>
          <strong>Refused: no transaction is built.</strong>
        </p>
        <p>{error.message}</p>
        <p class="weak small">{describeOrigin(error)}</p>
      </Message>
      <div class="build-part">
        <h3>What would make it possible</h3>
        <p>{text}</p>
        {action !== undefined && (
          <div>
            <button type="button" class="button" onClick={() => onAction(action)}>
              {actions[action].title} instead
            </button>
          </div>
        )}
      </div>
    </>
  );
}

type FailureProps = Help & {
  readonly failure: PreviewError;
  readonly decoded: DecodedTransaction | undefined;
};

/** The transaction is built and would fail: where, why, and what would make it possible. */
export function SimulatedFailure({ failure, decoded, onAmount }: FailureProps) {
  const { program, code, name, message, action, figures, instructionIndex } = failure;
  const suggested = failure.suggestedAmount;
  const step = instructionIndex === null ? undefined : decoded?.instructions[instructionIndex];
  return (
    <>
      <Message tone="danger" isLive>
        <p>
          <strong>It would fail: {name}.</strong> {message}
        </p>
        <p class="weak small">
          {[
            program === null ? 'rejected by the cluster' : `program ${program}`,
            code !== null && `error ${code}`,
            step !== undefined && `step ${(instructionIndex ?? 0) + 1}: ${step.title}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </Message>
      <div class="build-part">
        <h3>What would make it possible</h3>
        <p class="anywhere">{action}</p>
        {suggested !== null && Number(suggested) > 0 && (
          <div>
            <button type="button" class="button" onClick={() => onAmount(suggested)}>
              Use {suggested}
            </button>
          </div>
        )}
        {figures !== null && <FactList rows={figureRows(figures)} />}
      </div>
    </>
  );
}

const units: Readonly<Record<FailureFigures['unit'], string>> = {
  sol: 'SOL',
  token: '',
  share: 'shares',
  usd: 'USD',
  ratio: '',
  seconds: 's',
  count: '',
};

function figureRows(figures: FailureFigures): FactRow[] {
  const { account, until } = figures;
  const amounts = (['needed', 'available', 'missing', 'limit'] as const).flatMap((name) => {
    const value = figures[name];
    return value === null ? [] : [{ name: titles[name], value: figureValue(value, figures) }];
  });
  return [
    ...amounts,
    ...(account === null ? [] : [{ name: 'Account', value: <Address address={account} /> }]),
    ...(until === null ? [] : [{ name: 'Until', value: until }]),
  ];
}

const figureValue = (value: string, { unit, symbol }: FailureFigures) =>
  unit === 'usd' ? <Usd value={value} /> : <Amount value={value} unit={symbol ?? units[unit]} />;

const titles = {
  needed: 'Needed',
  available: 'Available',
  missing: 'Missing',
  limit: 'Limit',
} as const;
