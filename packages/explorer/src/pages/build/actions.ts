import { apiRequest } from '../../api/resource.ts';
import type { ApiRequest } from '../../api/server.ts';
import { isAddress } from '../../format/address.ts';
import type { ActionName, BuildFields } from '../../routing/build-fields.ts';

/** What an action needs beside the wallet. */
type ActionTarget = 'reserve' | 'vault' | 'rewards';

type Action = {
  readonly title: string;
  readonly target: ActionTarget;
  /** Whether everything can be requested instead of an amount. */
  readonly acceptsAll: boolean;
  /** What it does, in one sentence. */
  readonly help: string;
};

export const actions: Readonly<Record<ActionName, Action>> = {
  deposit: {
    title: 'Deposit',
    target: 'reserve',
    acceptsAll: false,
    help: 'Lends tokens of the wallet. They earn interest and are collateral of its loan.',
  },
  borrow: {
    title: 'Borrow',
    target: 'reserve',
    acceptsAll: false,
    help: 'Takes tokens against the deposits of the wallet’s loan.',
  },
  repay: {
    title: 'Repay',
    target: 'reserve',
    acceptsAll: true,
    help: 'Pays back a debt of the wallet’s loan, at most all of it.',
  },
  withdraw: {
    title: 'Withdraw',
    target: 'reserve',
    acceptsAll: true,
    help: 'Takes a deposit out of the wallet’s loan, as far as its debts allow.',
  },
  'vault-deposit': {
    title: 'Vault deposit',
    target: 'vault',
    acceptsAll: false,
    help: 'Buys shares of an earn vault, which lends the tokens.',
  },
  'vault-withdraw': {
    title: 'Vault withdraw',
    target: 'vault',
    acceptsAll: true,
    help: 'Sells shares of an earn vault for its tokens. The amount is in shares.',
  },
  claim: {
    title: 'Claim rewards',
    target: 'rewards',
    acceptsAll: false,
    help: 'Collects every reward of a vault or market that can be claimed now.',
  },
};

/** The URL’s word for everything, and the API’s. */
export const ALL = 'all';
const ALL_OF_API = 'U64::MAX';

type FieldName = Exclude<keyof BuildFields, 'action'>;

/** What is wrong with each field, and how to fix it. Nothing if a transaction can be requested. */
export type FieldProblems = Partial<Readonly<Record<FieldName, string>>>;

export function findProblems(fields: BuildFields): FieldProblems {
  const { target } = actions[fields.action];
  return {
    ...addressProblem('wallet', fields.wallet, 'Enter the address of the wallet that signs.'),
    ...(target === 'reserve' && {
      ...addressProblem('market', fields.market, 'Choose a market.'),
      ...addressProblem('reserve', fields.reserve, 'Choose a token.'),
    }),
    ...(target === 'vault' && addressProblem('vault', fields.vault, 'Choose a vault.')),
    ...(target === 'rewards' &&
      fields.market === '' &&
      addressProblem('vault', fields.vault, 'Choose a vault or a market.')),
    ...(target !== 'rewards' && amountProblem(fields)),
  };
}

function addressProblem(field: FieldName, text: string, missing: string): FieldProblems {
  if (text === '') return { [field]: missing };
  if (isAddress(text)) return {};
  return { [field]: 'This is not an address: an address has 32 to 44 characters of base58.' };
}

const AMOUNT = /^(0|[1-9]\d*)(\.\d+)?$/;

function amountProblem({ amount, action }: BuildFields): FieldProblems {
  const message = amountMessage(amount, actions[action].acceptsAll);
  return message === undefined ? {} : { amount: message };
}

function amountMessage(amount: string, acceptsAll: boolean): string | undefined {
  if (amount === '') return 'Enter an amount in whole tokens, such as 1.5.';
  if (amount === ALL)
    return acceptsAll ? undefined : 'Everything is not possible here: enter an amount.';
  if (amount.includes(',')) return 'Use a point before the decimals and no thousands separators.';
  if (/^[.]\d+$/.test(amount)) return `Write 0${amount}.`;
  if (/^[-+]/.test(amount)) return 'Enter the amount without a sign.';
  if (/e/i.test(amount)) return 'Write the amount in full, without an exponent.';
  if (!AMOUNT.test(amount)) return 'Enter a number, such as 1.5.';
  if (/^[0.]+$/.test(amount)) return 'Enter an amount above zero.';
  return undefined;
}

type BuilderOperation =
  | `POST /ktx/klend/${'deposit' | 'borrow' | 'repay' | 'withdraw'}`
  | `POST /ktx/kvault/${'deposit' | 'withdraw'}`
  | 'POST /ktx/farms/claim';

/** The request to the builder, with a preview. The fields have no problems. */
export function builderRequest(fields: BuildFields): ApiRequest<BuilderOperation> {
  const { action, wallet, market, reserve, vault } = fields;
  const amount = fields.amount === ALL ? ALL_OF_API : fields.amount;
  const query = { preview: true };
  switch (action) {
    case 'deposit':
    case 'borrow':
    case 'repay':
    case 'withdraw':
      return apiRequest(`POST /ktx/klend/${action}` as const, {
        query,
        body: { wallet, market, reserve, amount },
      });
    case 'vault-deposit':
    case 'vault-withdraw': {
      const operation =
        action === 'vault-deposit' ? 'POST /ktx/kvault/deposit' : 'POST /ktx/kvault/withdraw';
      return apiRequest(operation, { query, body: { wallet, kvault: vault, amount } });
    }
    case 'claim':
      return apiRequest('POST /ktx/farms/claim', {
        query,
        body: vault === '' ? { wallet, market } : { wallet, kvault: vault },
      });
  }
}
