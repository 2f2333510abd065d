import { apiRequest } from '../../../api/resource.ts';
import type { ApiRequest } from '../../../api/server.ts';
import type { BuildFields } from '../../../routing/build-fields.ts';
import { ALL } from '../actions.ts';
import { requireSwap } from '../fields/swap.ts';

const ALL_OF_API = 'U64::MAX';

type LendingAction = 'deposit' | 'borrow' | 'repay' | 'withdraw';

/** Builds one transaction. */
type BuilderOperation =
  | `POST /ktx/klend/${LendingAction}`
  | `POST /ktx/klend/${'multiply' | 'deleverage' | 'liquidate'}`
  | `POST /ktx/kvault/${'deposit' | 'withdraw'}`
  | 'POST /ktx/farms/claim';

/** Builds several transactions, to be sent in order. */
type PlanOperation = `POST /ktx/${'klend' | 'kvault'}/exit`;

export type BuilderRequest = ApiRequest<BuilderOperation> | ApiRequest<PlanOperation>;

const query = { preview: true };

/** The request to the builder, with a preview. The fields have no problems. */
export function builderRequest(fields: BuildFields): BuilderRequest {
  const { action, wallet, market, obligation, vault } = fields;
  const amount = amountOf(fields.amount);
  switch (action) {
    case 'deposit':
    case 'borrow':
    case 'repay':
    case 'withdraw':
      return lendingRequest(action, fields);
    case 'multiply':
      return multiplyRequest(fields);
    case 'deleverage':
      return apiRequest('POST /ktx/klend/deleverage', {
        query,
        body: {
          ...leverageBody(fields),
          repayAmount: amount,
          withdrawAmount: amountOf(fields.collateralAmount),
        },
      });
    case 'exit':
      return apiRequest('POST /ktx/klend/exit', { body: { wallet, market, loan: obligation } });
    case 'liquidate':
      return liquidationRequest(fields);
    case 'vault-deposit':
    case 'vault-withdraw': {
      const operation =
        action === 'vault-deposit' ? 'POST /ktx/kvault/deposit' : 'POST /ktx/kvault/withdraw';
      return apiRequest(operation, { query, body: { wallet, kvault: vault, amount } });
    }
    case 'vault-exit':
      return apiRequest('POST /ktx/kvault/exit', { body: { wallet, kvault: vault } });
    case 'claim':
      return apiRequest('POST /ktx/farms/claim', {
        query,
        body: vault === '' ? { wallet, market, ...loanOf(fields) } : { wallet, kvault: vault },
      });
  }
}

/** The request for a change of one token of a loan. */
export const lendingRequest = <Name extends LendingAction>(
  action: Name,
  fields: Omit<BuildFields, 'action'>,
): ApiRequest<`POST /ktx/klend/${Name}`> => {
  const { wallet, market, reserve } = fields;
  const body = { wallet, market, reserve, amount: amountOf(fields.amount), ...loanOf(fields) };
  return apiRequest(`POST /ktx/klend/${action}`, { query, body });
};

const amountOf = (text: string): string => (text === ALL ? ALL_OF_API : text);

/** Without it, the builders use the plain loan. */
const loanOf = ({ obligation }: Pick<BuildFields, 'obligation'>) =>
  obligation === '' ? {} : { loan: obligation };

const leverageBody = (fields: BuildFields) => ({
  wallet: fields.wallet,
  market: fields.market,
  collateralReserve: fields.collateral,
  debtReserve: fields.debt,
  ...loanOf(fields),
  swap: requireSwap(fields.swap),
});

function multiplyRequest(fields: BuildFields): ApiRequest<'POST /ktx/klend/multiply'> {
  const { obligation, loanKind, ownAmount } = fields;
  const isNew = obligation === '' && (loanKind === 'multiply' || loanKind === 'leverage');
  return apiRequest('POST /ktx/klend/multiply', {
    query,
    body: {
      ...leverageBody(fields),
      ...(isNew && { loanKind }),
      ...(ownAmount !== '' && { depositAmount: ownAmount }),
      flashLoanAmount: fields.collateralAmount,
      borrowAmount: fields.amount,
    },
  });
}

function liquidationRequest(fields: BuildFields): ApiRequest<'POST /ktx/klend/liquidate'> {
  const { wallet, market, obligation, collateral, debt, minimum } = fields;
  return apiRequest('POST /ktx/klend/liquidate', {
    query,
    body: {
      wallet,
      market,
      loan: obligation,
      repayReserve: debt,
      withdrawReserve: collateral,
      amount: amountOf(fields.amount),
      ...(minimum !== '' && { minReceivedAmount: minimum }),
    },
  });
}
