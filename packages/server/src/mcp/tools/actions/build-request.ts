import { type Static, Type } from 'typebox';
import { CodedError } from '../../../errors.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import type { PostPath } from '../../api/api-client.ts';
import type { ApiReading } from '../../api/api-reading.ts';
import { findReserve } from '../../api/catalogue.ts';

const ACTIONS = [
  ...(['lend-deposit', 'lend-withdraw', 'borrow', 'repay'] as const),
  ...(['vault-deposit', 'vault-withdraw', 'claim-rewards'] as const),
] as const;
type Action = (typeof ACTIONS)[number];

const address = (description: string) => Type.Unsafe<string>({ ...AddressString, description });

/** What a wallet is about to do. */
export const ActionInput = Type.Object(
  {
    action: Type.Unsafe<Action>({
      type: 'string',
      enum: [...ACTIONS],
      description:
        'lend-deposit, lend-withdraw, borrow and repay act on a loan of the wallet and need reserve; vault-deposit and vault-withdraw need vault; claim-rewards needs vault or market',
    }),
    wallet: address('The wallet that would sign and pay'),
    reserve: Type.Optional(address('Reserve of the token, for actions on a loan')),
    loan: Type.Optional(
      address(
        'Loan of the wallet, of any kind, for actions on a loan and to claim its rewards; its plain loan in the market if omitted',
      ),
    ),
    market: Type.Optional(
      address(
        'Lending market; found by the reserve if it is omitted. For claim-rewards: required without vault',
      ),
    ),
    vault: Type.Optional(address('Earn vault, for actions on a vault')),
    amount: Type.Optional(
      Type.Unsafe<string>({
        // the server checks its form, because the message depends on the token
        title: 'AmountOrAll',
        type: 'string',
        maxLength: 40,
        pattern: '^(U64::MAX|(0|[1-9][0-9]*)(\\.[0-9]+)?)$',
        description:
          'Whole tokens as a string, such as "1.5"; for vault-withdraw whole SHARES. "U64::MAX" is everything, for repay and withdrawals only',
      }),
    ),
  },
  { additionalProperties: false },
);

export type ActionRequest = Static<typeof ActionInput>;

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
