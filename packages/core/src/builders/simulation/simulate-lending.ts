import { CodedError, hasCode } from '../../base/errors.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { klendRejection } from '../../protocol/klend/errors.ts';
import { borrow } from '../../protocol/klend/operations/borrow.ts';
import { deposit } from '../../protocol/klend/operations/deposit.ts';
import {
  type ObligationPosition,
  RESERVE_STATUS_OBSOLETE,
} from '../../protocol/klend/operations/position.ts';
import { repay } from '../../protocol/klend/operations/repay.ts';
import { withdraw } from '../../protocol/klend/operations/withdraw.ts';
import { mint as mintLayout } from '../../protocol/spl/layout/mint.ts';
import { unsupportedExtensions } from '../../protocol/spl/unsupported-extensions.ts';
import type { BuildContext, Builder } from '../build.ts';
import { borrowBuilder } from '../lending/borrow-builder.ts';
import { depositBuilder } from '../lending/deposit-builder.ts';
import { createLendingActionContext } from '../lending/lending-action-context.ts';
import { collateralForLiquidity, lamportsToWrapForDebt } from '../lending/lending-amounts.ts';
import { type LendingPosition, readLendingPosition } from '../lending/lending-position.ts';
import {
  amountOrMax,
  type LendingActionKind,
  type LendingRequest,
} from '../lending/lending-request.ts';
import { repayBuilder } from '../lending/repay-builder.ts';
import { withdrawBuilder } from '../lending/withdraw-builder.ts';
import type { Plan } from '../plan.ts';
import { isWrappedSol, readWalletToken } from '../wallet/token-accounts.ts';
import { createLendingModel, type LendingModel, refreshPosition } from './lending-model.ts';
import {
  requireLamportBalance,
  requireTokenBalance,
  toProgramRejection,
} from './program-rejections.ts';
import type { LoanOutcome, ProgramRejection, SimulationOutcome } from './simulation-outcome.ts';
import { computeWalletChanges } from './wallet-changes.ts';

/** Of the framework that the lending program is written with. */
const ACCOUNT_NOT_INITIALIZED = 3012;

const builders: Readonly<Record<LendingActionKind, Builder<LendingRequest>>> = {
  deposit: depositBuilder,
  borrow: borrowBuilder,
  repay: repayBuilder,
  withdraw: withdrawBuilder,
};

/**
 * What the lending program would do with a build at the state's slot. Throws where there is nothing to build, as the
 * builder does. Prices are those of the oracle that state follows; keepers may bring newer ones before it lands.
 */
export function simulateLending(
  intent: LendingActionKind,
  request: LendingRequest,
  scene: BuildContext,
): SimulationOutcome {
  const { plan } = builders[intent].build(request, scene);
  const position = readLendingPosition(
    createLendingActionContext(intent, request, scene.state),
    scene,
  );
  const asked = { position, plan, scene, amount: amountOrMax(request) };
  try {
    return forecastFrom(asked, createLendingModel(position, scene.state));
  } catch (error) {
    return failed(error);
  }
}

/** `amount`: all of 64 bits for everything. */
type Asked = {
  readonly position: LendingPosition;
  readonly plan: Plan;
  readonly scene: BuildContext;
  readonly amount: bigint;
};

function forecastFrom(asked: Asked, model: LendingModel): SimulationOutcome {
  const { position } = asked;
  const before = position.loan === undefined ? undefined : model.before.obligation;
  try {
    requireSetup(asked);
    const done = operations[position.intent](model, asked);
    requirePayment(asked, done);
    const { obligation, reserves } = refreshPosition(done, model.terms);
    const loan = { before, after: done.closes ? undefined : obligation, reservesAfter: reserves };
    return { failure: undefined, ...changesOf(asked, done), loan };
  } catch (error) {
    return failed(error, { before, after: undefined, reservesAfter: new Map() });
  }
}

function changesOf(asked: Asked, done: Done): Pick<SimulationOutcome, 'tokens' | 'lamports'> {
  const { position, plan, scene } = asked;
  const { token, decimals, loan } = position;
  const wrapped = wrappedBy(asked);
  const added = wrapped + done.received - done.paid;
  const moved = [{ token: { ...token, decimals }, added }];
  const { tokens, lamports } = computeWalletChanges({ plan, moved, wrapped }, scene);
  const refund = done.closes ? (loan?.account.lamports ?? 0n) : 0n;
  return { tokens, lamports: lamports + refund };
}

const failed = (error: unknown, loan?: LoanOutcome): SimulationOutcome => ({
  failure: lendingFailure(error),
  tokens: [],
  lamports: 0n,
  loan,
});

function lendingFailure(error: unknown): ProgramRejection {
  const isOverflow = hasCode(error, 'MATH_OVERFLOW') || hasCode(error, 'DIVISION_BY_ZERO');
  return toProgramRejection(
    isOverflow ? klendRejection('MathOverflow', 'the amount is too large') : error,
  );
}

/** What happens before the action is reached. */
function requireSetup(asked: Asked): void {
  const { position, plan, scene } = asked;
  const { wallet, reserve, farm, hasFarmUser, intent, token } = position;
  const has = scene.accounts.get(wallet)?.lamports ?? 0n;
  requireLamportBalance({ has, needs: plan.rentLamports + wrappedBy(asked) });
  if (
    farm !== undefined &&
    !hasFarmUser &&
    reserve.fields.config.status === RESERVE_STATUS_OBSOLETE
  ) {
    throw klendRejection('ReserveObsolete', 'its farm takes no new accounts');
  }
  const isCreated = intent !== 'repay' || isWrappedSol(token);
  if (!isCreated && readWalletToken(token, scene) === undefined) {
    const { code, name } = { code: ACCOUNT_NOT_INITIALIZED, name: 'AccountNotInitialized' };
    const reason = `the wallet has no account for ${token.label}`;
    throw new CodedError('PROGRAM_REFUSES', { program: 'klend', code, name, reason });
  }
  const mint = scene.accounts.get(token.mint);
  if (mint !== undefined && unsupportedExtensions(mintLayout.decode(mint)).length > 0) {
    throw klendRejection('UnsupportedTokenExtension', `${token.label} has one`);
  }
}

function requirePayment(asked: Asked, { paid }: Done): void {
  const { token } = asked.position;
  const held = readWalletToken(token, asked.scene)?.amount ?? 0n;
  requireTokenBalance({ has: held + wrappedBy(asked), needs: paid }, token.tokenProgram);
}

function wrappedBy({ position, scene, amount }: Asked): bigint {
  const { intent, token } = position;
  const goesIn = intent === 'deposit' || intent === 'repay';
  if (!goesIn || !isWrappedSol(token)) return 0n;
  return amount === U64_MAX ? lamportsToWrapForDebt(position, scene) : amount;
}

/** Of tokens, in smallest units. */
type Done = ObligationPosition & {
  readonly paid: bigint;
  readonly received: bigint;
  readonly closes: boolean;
};

type Operation = (model: LendingModel, asked: Asked) => Done;

const operations: Readonly<Record<LendingActionKind, Operation>> = {
  deposit({ before, terms }, { position, amount }) {
    const done = deposit(before, terms, { reserve: position.reserve.address, amount });
    return { ...done, paid: done.liquidity, received: 0n, closes: false };
  },
  borrow({ before, terms }, { position, amount }) {
    const done = borrow(before, terms, { reserve: position.reserve.address, amount });
    return { ...done, paid: 0n, closes: false };
  },
  repay({ before, terms }, { position, amount }) {
    const done = repay(before, terms, { reserve: position.reserve.address, amount });
    return { ...done, paid: done.repaid, received: 0n, closes: false };
  },
  withdraw({ before, terms }, { position, amount, scene }) {
    const collateral =
      amount === U64_MAX ? U64_MAX : collateralForLiquidity(position, scene, amount);
    const reserve = position.reserve.address;
    const done = withdraw(before, terms, { reserve, collateral, limit: 'max ltv' });
    return { ...done, paid: 0n, received: done.liquidity };
  },
};
