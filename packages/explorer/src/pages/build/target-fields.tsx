import type { Vault } from '@tidegate/client';
import type { ListedMarket } from '../../api/directory.ts';
import { Field } from '../../components/field.tsx';
import { formatPercent } from '../../format/number.ts';
import { actions } from './actions.ts';
import { LeverageFields } from './fields/leverage-fields.tsx';
import { LiquidationFields } from './fields/liquidation-fields.tsx';
import { LoanField, loanTitle } from './fields/loan-field.tsx';
import type { FormProps } from './form-props.ts';

/** What the action is done with: a token of a market, a vault, or what has rewards. */
export function TargetFields(form: FormProps) {
  switch (actions[form.fields.action].target) {
    case 'reserve':
      return (
        <>
          <LoanField {...form} />
          <MarketField {...form} />
          <ReserveField {...form} />
        </>
      );
    case 'leverage':
      return (
        <>
          <LoanField {...form} />
          <MarketField {...form} />
          <ReserveField {...form} field="collateral" label="Collateral" />
          <ReserveField {...form} field="debt" label="Debt" />
          <LeverageFields {...form} />
        </>
      );
    case 'loan':
      return <LoanField {...form} />;
    case 'liquidation':
      return (
        <>
          <MarketField {...form} />
          <LiquidationFields {...form} />
        </>
      );
    case 'vault':
      return <VaultField {...form} />;
    case 'rewards':
      return <RewardsField {...form} />;
  }
}

function MarketField({ fields, choices, problems, onChange }: FormProps) {
  return (
    <Field label="Market" problem={problems.market}>
      {(attributes) => (
        <select
          {...attributes}
          data-field="market"
          value={fields.market}
          onChange={({ currentTarget }) =>
            onChange({ market: currentTarget.value, reserve: '', collateral: '', debt: '' })
          }
        >
          <option value="">Choose a market</option>
          <MarketOptions markets={choices.markets} />
          <Unlisted
            address={fields.market}
            listed={choices.markets.map(({ lendingMarket }) => lendingMarket)}
          />
        </select>
      )}
    </Field>
  );
}

const MarketOptions = ({ markets }: { readonly markets: readonly ListedMarket[] }) => (
  <>
    {markets.map(({ lendingMarket, name }) => (
      <option key={lendingMarket} value={lendingMarket}>
        {name}
      </option>
    ))}
  </>
);

type ReserveFieldProps = FormProps & {
  readonly field?: 'reserve' | 'collateral' | 'debt';
  readonly label?: string;
};

function ReserveField({ field = 'reserve', label = 'Token', ...form }: ReserveFieldProps) {
  const { fields, choices, problems, onChange } = form;
  const market = choices.markets.find(({ lendingMarket }) => lendingMarket === fields.market);
  const reserves = market?.reserves ?? [];
  const isBorrow = field === 'debt' || fields.action === 'borrow' || fields.action === 'repay';
  return (
    <Field
      label={label}
      problem={problems[field]}
      help={fields.market === '' ? 'Choose a market first' : undefined}
    >
      {(attributes) => (
        <select
          {...attributes}
          data-field={field}
          value={fields[field]}
          onChange={({ currentTarget }) => onChange({ [field]: currentTarget.value })}
        >
          <option value="">Choose a token</option>
          {reserves.map(({ reserve, liquidityToken, supplyApy, borrowApy }) => (
            <option key={reserve} value={reserve}>
              {liquidityToken} · {formatPercent(isBorrow ? borrowApy : supplyApy).short} a year
            </option>
          ))}
          <Unlisted address={fields[field]} listed={reserves.map(({ reserve }) => reserve)} />
        </select>
      )}
    </Field>
  );
}

function VaultField({ fields, choices, problems, onChange }: FormProps) {
  return (
    <Field label="Vault" problem={problems.vault}>
      {(attributes) => (
        <select
          {...attributes}
          data-field="vault"
          value={fields.vault}
          onChange={({ currentTarget }) => onChange({ vault: currentTarget.value })}
        >
          <option value="">Choose a vault</option>
          <VaultOptions vaults={choices.vaults} />
          <Unlisted address={fields.vault} listed={choices.vaults.map(({ address }) => address)} />
        </select>
      )}
    </Field>
  );
}

const VaultOptions = ({ vaults }: { readonly vaults: readonly Vault[] }) => (
  <>
    {vaults.map(({ address, state }) => (
      <option key={address} value={address}>
        {state.name}
      </option>
    ))}
  </>
);

function RewardsField({ fields, choices, problems, onChange }: FormProps) {
  const { loans = [] } = choices;
  const choose = (address: string): void => {
    const isMarket = choices.markets.some(({ lendingMarket }) => lendingMarket === address);
    const loan = loans.find(({ obligation }) => obligation === address);
    if (loan !== undefined) onChange({ market: loan.market, obligation: address, vault: '' });
    else if (isMarket) onChange({ market: address, obligation: '', vault: '' });
    else onChange({ market: '', obligation: '', vault: address });
  };
  const chosen = [fields.vault, fields.obligation, fields.market].find((each) => each !== '') ?? '';
  return (
    <Field label="Rewards of" problem={problems.vault}>
      {(attributes) => (
        <select
          {...attributes}
          data-field="vault"
          value={chosen}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">Choose a vault, a loan or a market</option>
          <optgroup label="Vaults">
            <VaultOptions vaults={choices.vaults} />
          </optgroup>
          {loans.length > 0 && (
            <optgroup label="Loans of the wallet">
              {loans.map((loan) => (
                <option key={loan.obligation} value={loan.obligation}>
                  {loanTitle(loan, choices)}
                </option>
              ))}
            </optgroup>
          )}
          <optgroup label="Plain loans in">
            <MarketOptions markets={choices.markets} />
          </optgroup>
          {loans.every(({ obligation }) => obligation !== fields.obligation) && (
            <Unlisted address={fields.obligation} listed={[]} />
          )}
        </select>
      )}
    </Field>
  );
}

type UnlistedProps = { readonly address: string; readonly listed: readonly string[] };

/** An address of the URL that no list has stays chosen, so that the builder can say what is wrong with it. */
const Unlisted = ({ address, listed }: UnlistedProps) =>
  address === '' || listed.includes(address) ? null : <option value={address}>{address}</option>;
