import type { Vault } from '@tidegate/client';
import type { ListedMarket } from '../../api/directory.ts';
import { Field } from '../../components/field.tsx';
import { formatPercent } from '../../format/number.ts';
import { actions } from './actions.ts';
import type { FormProps } from './form-props.ts';

/** What the action is done with: a token of a market, a vault, or what has rewards. */
export function TargetFields(form: FormProps) {
  switch (actions[form.fields.action].target) {
    case 'reserve':
      return (
        <>
          <MarketField {...form} />
          <ReserveField {...form} />
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
          onChange={({ currentTarget }) => onChange({ market: currentTarget.value, reserve: '' })}
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

function ReserveField({ fields, choices, problems, onChange }: FormProps) {
  const market = choices.markets.find(({ lendingMarket }) => lendingMarket === fields.market);
  const reserves = market?.reserves ?? [];
  const isBorrow = fields.action === 'borrow' || fields.action === 'repay';
  return (
    <Field
      label="Token"
      problem={problems.reserve}
      help={fields.market === '' ? 'Choose a market first' : undefined}
    >
      {(attributes) => (
        <select
          {...attributes}
          data-field="reserve"
          value={fields.reserve}
          onChange={({ currentTarget }) => onChange({ reserve: currentTarget.value })}
        >
          <option value="">Choose a token</option>
          {reserves.map(({ reserve, liquidityToken, supplyApy, borrowApy }) => (
            <option key={reserve} value={reserve}>
              {liquidityToken} · {formatPercent(isBorrow ? borrowApy : supplyApy).short} a year
            </option>
          ))}
          <Unlisted address={fields.reserve} listed={reserves.map(({ reserve }) => reserve)} />
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
  const choose = (address: string): void => {
    const isMarket = choices.markets.some(({ lendingMarket }) => lendingMarket === address);
    onChange(isMarket ? { market: address, vault: '' } : { market: '', vault: address });
  };
  return (
    <Field label="Rewards of" problem={problems.vault}>
      {(attributes) => (
        <select
          {...attributes}
          data-field="vault"
          value={fields.vault === '' ? fields.market : fields.vault}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">Choose a vault or a market</option>
          <optgroup label="Vaults">
            <VaultOptions vaults={choices.vaults} />
          </optgroup>
          <optgroup label="Markets">
            <MarketOptions markets={choices.markets} />
          </optgroup>
        </select>
      )}
    </Field>
  );
}

type UnlistedProps = { readonly address: string; readonly listed: readonly string[] };

/** An address of the URL that no list has stays chosen, so that the builder can say what is wrong with it. */
const Unlisted = ({ address, listed }: UnlistedProps) =>
  address === '' || listed.includes(address) ? null : <option value={address}>{address}</option>;
