import { CodedError } from '../../../errors.ts';
import type { PostPath } from '../../api/api-client.ts';
import type { ApiReading } from '../../api/api-reading.ts';
import { findReserve } from '../../api/catalogue.ts';
import type { Action, ActionRequest } from './action-input.ts';

/** A request to a builder of the API. */
export type BuildRequest = { readonly path: BuilderPath; readonly body: Record<string, string> };

type BuilderPath = Exclude<PostPath, '/ktx/decode' | `${string}-instructions`>;

const paths: { readonly [A in Action]: BuilderPath } = {
  'lend-deposit': '/ktx/klend/deposit',
  'lend-withdraw': '/ktx/klend/withdraw',
  borrow: '/ktx/klend/borrow',
  repay: '/ktx/klend/repay',
  'vault-deposit': '/ktx/kvault/deposit',
  'vault-withdraw': '/ktx/kvault/withdraw',
  'claim-rewards': '/ktx/farms/claim',
};

/** The form of a builder that also returns the contents of the lookup tables. */
export const instructionsPath = (path: BuilderPath): `${BuilderPath}-instructions` =>
  `${path}-instructions`;

/** Checks what the action needs, and finds the market of a reserve. */
export async function buildRequestOf(
  request: ActionRequest,
  reading: ApiReading,
): Promise<BuildRequest> {
  const { action, wallet, vault, reserve, market, amount, loan } = request;
  const path = paths[action];
  if (action === 'claim-rewards') return { path, body: claimBody(request) };
  if (amount === undefined) throw missing('amount', action);
  if (action === 'vault-deposit' || action === 'vault-withdraw') {
    if (vault === undefined) throw missing('vault', action);
    if (loan !== undefined) throw inputError(`${action} takes no loan: it acts on a vault.`);
    return { path, body: { wallet, kvault: vault, amount } };
  }
  if (reserve === undefined) throw missing('reserve', action);
  const known = market ?? (await marketOf(reserve, reading));
  return {
    path,
    body: { wallet, market: known, reserve, amount, ...(loan !== undefined && { loan }) },
  };
}

function claimBody({ wallet, vault, market, reserve, amount, loan }: ActionRequest) {
  if (amount !== undefined) {
    throw inputError('claim-rewards takes no amount: it claims everything that can be claimed.');
  }
  if (vault !== undefined && loan !== undefined) {
    throw inputError('claim-rewards takes vault or loan, not both.');
  }
  if (vault !== undefined) return { wallet, kvault: vault };
  if (market === undefined) throw missing('vault or market', 'claim-rewards');
  return {
    wallet,
    market,
    ...(reserve !== undefined && { reserve }),
    ...(loan !== undefined && { loan }),
  };
}

async function marketOf(reserve: string, reading: ApiReading): Promise<string> {
  const found = await findReserve(reading, reserve);
  if (found !== undefined) return found.market.lendingMarket;
  throw new CodedError('NOT_FOUND', { what: 'reserve of a listed market', address: reserve });
}

const missing = (field: string, action: Action): CodedError =>
  inputError(`${action} needs ${field}.`);

const inputError = (reason: string): CodedError => new CodedError('INVALID_TOOL_INPUT', { reason });
