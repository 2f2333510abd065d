import { isAddress } from '../../../format/address.ts';
import type { BuildFields } from '../../../routing/build-fields.ts';
import { ALL, actions } from '../actions.ts';
import { parseSwap } from '../fields/swap.ts';

export type FieldName = Exclude<keyof BuildFields, 'action'>;

/** What is wrong with each field, and how to fix it. Nothing if a transaction can be requested. */
export type FieldProblems = Partial<Readonly<Record<FieldName, string>>>;

export function findProblems(fields: BuildFields): FieldProblems {
  const { hasAmount, acceptsAll } = actions[fields.action];
  return {
    ...addressProblem('wallet', fields.wallet, 'Enter the address of the wallet that signs.'),
    ...targetProblems(fields),
    ...(hasAmount && amountProblem('amount', fields.amount, { acceptsAll })),
  };
}

function targetProblems(fields: BuildFields): FieldProblems {
  const { market, obligation, reserve, vault } = fields;
  const inMarket = addressProblem('market', market, 'Choose a market.');
  switch (actions[fields.action].target) {
    case 'reserve':
      return {
        ...inMarket,
        ...optionalAddress('obligation', obligation),
        ...addressProblem('reserve', reserve, 'Choose a token.'),
      };
    case 'leverage':
      return {
        ...inMarket,
        ...optionalAddress('obligation', obligation),
        ...pairProblems(fields),
        ...leverageProblems(fields),
      };
    case 'loan':
      return addressProblem('obligation', obligation, 'Choose a loan.');
    case 'liquidation':
      return {
        ...inMarket,
        ...addressProblem('obligation', obligation, 'Choose a loan.'),
        ...pairProblems(fields),
        ...(fields.minimum !== '' && amountProblem('minimum', fields.minimum)),
      };
    case 'vault':
      return addressProblem('vault', vault, 'Choose a vault.');
    case 'rewards':
      return market === ''
        ? addressProblem('vault', vault, 'Choose a vault, a loan or a market.')
        : optionalAddress('obligation', obligation);
  }
}

function pairProblems({ collateral, debt }: BuildFields): FieldProblems {
  if (collateral !== '' && collateral === debt) {
    return { debt: 'The collateral and the debt must be different tokens.' };
  }
  return {
    ...addressProblem('collateral', collateral, 'Choose the token of the collateral.'),
    ...addressProblem('debt', debt, 'Choose the token of the debt.'),
  };
}

function leverageProblems({ action, ...fields }: BuildFields): FieldProblems {
  const { amount, collateralAmount, ownAmount, swap } = fields;
  const { acceptsAll } = actions[action];
  const parsed = parseSwap(swap);
  return {
    ...amountProblem('amount', amount, { acceptsAll }),
    ...amountProblem('collateralAmount', collateralAmount, { acceptsAll }),
    ...(action === 'multiply' && ownAmount !== '' && amountProblem('ownAmount', ownAmount)),
    ...('problem' in parsed && { swap: parsed.problem }),
  };
}

const optionalAddress = (field: FieldName, text: string): FieldProblems =>
  text === '' ? {} : addressProblem(field, text, '');

function addressProblem(field: FieldName, text: string, missing: string): FieldProblems {
  if (text === '') return { [field]: missing };
  if (isAddress(text)) return {};
  return { [field]: 'This is not an address: an address has 32 to 44 characters of base58.' };
}

const AMOUNT = /^(0|[1-9]\d*)(\.\d+)?$/;

function amountProblem(
  field: FieldName,
  amount: string,
  { acceptsAll } = { acceptsAll: false },
): FieldProblems {
  const message = amountMessage(amount, acceptsAll);
  return message === undefined ? {} : { [field]: message };
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
